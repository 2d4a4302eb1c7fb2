import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { sentOf } from '../../../events/shared/settings.js';
import { USER_GROUP_PERMISSIONS } from '../../../events/user-groups/user-groups.settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  Alias,
  Ids,
  OptionalFlag,
  OptionalIds,
  OptionalText,
  Sendable,
  settingsOf,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import { CreateUserGroup, DeactivateUserGroup, UpdateUserGroup } from '../domain/user-groups.js';
import type { UserGroupForClients } from '../queries/groups-for-clients.js';
import { GetUserGroups } from '../queries/user-groups.queries.js';

class GetUserGroupsParameters {
  @Alias('allow_deactivated') @OptionalFlag() readonly include_deactivated_groups: boolean = false;
}

class CreateUserGroupParameters extends settingsOf(USER_GROUP_PERMISSIONS) {
  @IsString() readonly name!: string;
  @IsString() readonly description!: string;
  @Ids() readonly members!: readonly number[];
  @OptionalIds() readonly subgroups: readonly number[] = [];
}

class UpdateUserGroupParameters extends settingsOf(updatesOf(USER_GROUP_PERMISSIONS)) {
  @OptionalText() readonly name?: string;
  @OptionalText() readonly description?: string;

  /** false reactivates the group; true has no effect. */
  @Sendable(flag) readonly deactivated?: boolean;
}

@Controller('user_groups')
export class UserGroupsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(
    @Caller() { user }: Caller,
    @Parameters() { include_deactivated_groups }: GetUserGroupsParameters,
  ): Promise<{ user_groups: readonly UserGroupForClients[] }> {
    return {
      user_groups: await this.dispatch.ask(
        new GetUserGroups({ reader: user, includeDeactivated: include_deactivated_groups }),
      ),
    };
  }

  @Post('create')
  async create(
    @Caller() { by }: Caller,
    @Parameters() parameters: CreateUserGroupParameters,
  ): Promise<{ group_id: number }> {
    const { name, description, members: memberIds, subgroups: subgroupIds } = parameters;
    const group = {
      name,
      description,
      memberIds,
      subgroupIds,
      permissions: sentOf(USER_GROUP_PERMISSIONS, parameters),
    };
    const command = new CreateUserGroup({ group, by });
    return { group_id: await this.dispatch.do(command) };
  }

  @Patch(':user_group_id')
  async update(
    @Caller() { by }: Caller,
    @PathId('user_group_id') groupId: number,
    @Parameters() parameters: UpdateUserGroupParameters,
  ): Promise<void> {
    const { name, description, deactivated } = parameters;
    const changes = { name, description, deactivated, permissions: sentOf(USER_GROUP_PERMISSIONS, parameters) };
    await this.dispatch.do(new UpdateUserGroup({ groupId, changes, by }));
  }

  @Post(':user_group_id/deactivate')
  async deactivate(@Caller() { by }: Caller, @PathId('user_group_id') groupId: number): Promise<void> {
    await this.dispatch.do(new DeactivateUserGroup({ groupId, by }));
  }

  /** Deactivates the group, for older clients. */
  @Delete(':user_group_id')
  remove(@Caller() caller: Caller, @PathId('user_group_id') groupId: number): Promise<void> {
    return this.deactivate(caller, groupId);
  }
}
