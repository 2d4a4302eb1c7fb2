import type { FeatureApi } from '../feature.js';
import { DeactivateUserGroupHandler } from './commands/deactivate-user-group.handler.js';
import { userGroupHandlers } from './commands/user-groups.handlers.js';
import { GroupMembersController } from './http/group-members.controller.js';
import { UserGroupsController } from './http/user-groups.controller.js';
import { userGroupQueries } from './queries/user-groups.queries.js';

import { UserGroupClientEvents } from './user-groups.client-events.js';

import { UserGroupStateReader } from './user-groups.register.js';

export const api: FeatureApi = {
  controllers: [UserGroupsController, GroupMembersController],
  providers: [...userGroupHandlers, DeactivateUserGroupHandler, ...userGroupQueries],
  clientEvents: [UserGroupClientEvents],
  register: [UserGroupStateReader],
};
