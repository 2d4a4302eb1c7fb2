import type { Feature } from '../feature.js';
import { userGroupRefusals } from './user-groups.refusals.js';

export const userGroupsFeature = {
  name: 'user-groups',
  refusals: userGroupRefusals,
  api: () => import('./user-groups.api.js'),
} as const satisfies Feature;
