import type { Feature } from '../feature.js';
import { invitedMembership } from './consequences/invited-membership.js';
import { userGroupRefusals } from './user-groups.refusals.js';

export const userGroupsFeature = {
  name: 'user-groups',
  refusals: userGroupRefusals,
  consequences: [invitedMembership],
  describes: () => import('./http/user-groups.descriptions.js'),
  api: [
    () => import('./commands/user-groups.handlers.js'),
    () => import('./http/user-groups.controller.js'),
    () => import('./http/group-members.controller.js'),
    () => import('./queries/user-groups.queries.js'),
    () => import('./user-groups.client-events.js'),
  ],
} as const satisfies Feature;
