import type { Feature } from '../feature.js';
import { invitedMembership } from './consequences/invited-membership.js';
import { userGroupRefusals } from './user-groups.refusals.js';

export const userGroupsFeature = {
  name: 'user-groups',
  refusals: userGroupRefusals,
  consequences: [invitedMembership],
  api: () => import('./user-groups.api.js'),
} as const satisfies Feature;
