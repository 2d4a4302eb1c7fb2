import type { Feature } from '../feature.js';
import { mentionFollowing } from './consequences/mention-following.js';
import { policyFollowing } from './consequences/policy-following.js';
import { reactionParticipation, topicParticipation } from './consequences/topic-participation.js';
import { personalRefusals } from './personal.refusals.js';

export const personalFeature = {
  name: 'personal',
  refusals: personalRefusals,
  consequences: [policyFollowing, topicParticipation, reactionParticipation, mentionFollowing],
  api: () => import('./personal.api.js'),
} as const satisfies Feature;
