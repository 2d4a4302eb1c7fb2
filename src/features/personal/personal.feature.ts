import type { Feature } from '../feature.js';
import { mentionFollowing } from './consequences/mention-following.js';
import { policyFollowing } from './consequences/policy-following.js';
import { reactionParticipation, topicParticipation } from './consequences/topic-participation.js';
import { personalRefusals } from './personal.refusals.js';

export const personalFeature = {
  name: 'personal',
  refusals: personalRefusals,
  consequences: [policyFollowing, topicParticipation, reactionParticipation, mentionFollowing],
  describes: () => import('./http/personal.descriptions.js'),
  api: [
    () => import('./commands/personal.handlers.js'),
    () => import('./http/topic-policies.controller.js'),
    () => import('./http/alert-words.controller.js'),
    () => import('./http/muted-users.controller.js'),
    () => import('./http/settings.controller.js'),
    () => import('./services/alert-words.js'),
    () => import('./services/auto-topic-policies.js'),
    () => import('./queries/personal.queries.js'),
    () => import('./services/user-settings.js'),
    () => import('./personal.client-events.js'),
    () => import('./personal.register.js'),
  ],
} as const satisfies Feature;
