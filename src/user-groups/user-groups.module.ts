import { Module } from '@nestjs/common';
import { CreateUserGroupHandler } from './commands/create-user-group.handler.js';
import { DeactivateUserGroupHandler } from './commands/deactivate-user-group.handler.js';
import { ReturnNamedGroupsHandler } from './commands/return-named-groups.handler.js';
import { UpdateMembersHandler } from './commands/update-members.handler.js';
import { UpdateSubgroupsHandler } from './commands/update-subgroups.handler.js';
import { UpdateUserGroupHandler } from './commands/update-user-group.handler.js';
import { GroupMembersController } from './http/group-members.controller.js';
import { UserGroupsController } from './http/user-groups.controller.js';
import { GetGroupMembersHandler } from './queries/get-group-members.handler.js';
import { GetSubgroupsHandler } from './queries/get-subgroups.handler.js';
import { GetUserGroupsHandler } from './queries/get-user-groups.handler.js';
import { IsGroupMemberHandler } from './queries/is-group-member.handler.js';

@Module({
  controllers: [UserGroupsController, GroupMembersController],
  providers: [
    CreateUserGroupHandler,
    UpdateUserGroupHandler,
    DeactivateUserGroupHandler,
    ReturnNamedGroupsHandler,
    UpdateMembersHandler,
    UpdateSubgroupsHandler,
    GetUserGroupsHandler,
    GetGroupMembersHandler,
    IsGroupMemberHandler,
    GetSubgroupsHandler,
  ],
})
export class UserGroupsModule {}
