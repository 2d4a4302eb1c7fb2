import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { sentOf } from '../../../events/shared/settings.js';
import { USER_GROUP_PERMISSIONS } from '../../../events/user-groups/user-groups.settings.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateUserGroup } from '../domain/create-user-group.js';
import { DeactivateUserGroup } from '../domain/deactivate-user-group.js';
import { UpdateUserGroup } from '../domain/update-user-group.js';
import type { UserGroupForClients } from '../queries/groups-for-clients.js';
import { GetUserGroups } from '../queries/user-groups.queries.js';
import {
  CreateUserGroupParameters,
  GetUserGroupsParameters,
  UpdateUserGroupParameters,
} from './user-groups.parameters.js';

@Controller('user_groups')
export class UserGroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(
    @Caller() { user }: Caller,
    @Parameters(GetUserGroupsParameters) { include_deactivated_groups }: GetUserGroupsParameters,
  ): Promise<{ user_groups: readonly UserGroupForClients[] }> {
    return {
      user_groups: await this.queries.execute(
        new GetUserGroups({ reader: user, includeDeactivated: include_deactivated_groups }),
      ),
    };
  }

  @Post('create')
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateUserGroupParameters) parameters: CreateUserGroupParameters,
  ): Promise<{ group_id: number }> {
    const { name, description, members: memberIds, subgroups: subgroupIds } = parameters;
    const group = {
      name,
      description,
      memberIds,
      subgroupIds,
      permissions: sentOf(USER_GROUP_PERMISSIONS, parameters),
    };
    const command = new CreateUserGroup({ group, by: commandContext(caller) });
    return { group_id: await this.commands.execute(command) };
  }

  @Patch(':user_group_id')
  async update(
    @Caller() caller: Caller,
    @PathId('user_group_id') groupId: number,
    @Parameters(UpdateUserGroupParameters) parameters: UpdateUserGroupParameters,
  ): Promise<void> {
    const { name, description, deactivated } = parameters;
    const permissions = sentOf(USER_GROUP_PERMISSIONS, parameters);
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(deactivated === undefined ? {} : { deactivated }),
      permissions,
    };
    await this.commands.execute(new UpdateUserGroup({ groupId, changes, by: commandContext(caller) }));
  }

  @Post(':user_group_id/deactivate')
  async deactivate(@Caller() caller: Caller, @PathId('user_group_id') groupId: number): Promise<void> {
    await this.commands.execute(new DeactivateUserGroup({ groupId, by: commandContext(caller) }));
  }

  /** Deactivates the group, for older clients. */
  @Delete(':user_group_id')
  remove(@Caller() caller: Caller, @PathId('user_group_id') groupId: number): Promise<void> {
    return this.deactivate(caller, groupId);
  }
}
