import { Controller, Get, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalFlag, OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { UpdateMembers, UpdateSubgroups } from '../domain/group-members.js';
import { GetGroupMembers, GetSubgroups, IsGroupMember } from '../queries/user-groups.queries.js';

class GetMembersParameters {
  @OptionalFlag() readonly direct_member_only: boolean = false;
}

class GetSubgroupsParameters {
  @OptionalFlag() readonly direct_subgroup_only: boolean = false;
}

class UpdateMembersParameters {
  @OptionalIds() readonly add: readonly number[] = [];
  @OptionalIds() readonly delete: readonly number[] = [];
  @OptionalIds() readonly add_subgroups: readonly number[] = [];
  @OptionalIds() readonly delete_subgroups: readonly number[] = [];
}

class UpdateSubgroupsParameters {
  @OptionalIds() readonly add: readonly number[] = [];
  @OptionalIds() readonly delete: readonly number[] = [];
}

@Controller('user_groups/:user_group_id')
export class GroupMembersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get('members')
  async members(
    @Caller() { user }: Caller,
    @PathId('user_group_id') groupId: number,
    @Parameters() { direct_member_only }: GetMembersParameters,
  ): Promise<{ members: readonly number[] }> {
    return {
      members: await this.dispatch.ask(new GetGroupMembers({ reader: user, groupId, directly: direct_member_only })),
    };
  }

  @Get('members/:user_id')
  async isMember(
    @Caller() { user }: Caller,
    @PathId('user_group_id') groupId: number,
    @PathId('user_id') userId: number,
    @Parameters() { direct_member_only }: GetMembersParameters,
  ): Promise<{ is_user_group_member: boolean }> {
    const query = new IsGroupMember({ reader: user, groupId, userId, directly: direct_member_only });
    return { is_user_group_member: await this.dispatch.ask(query) };
  }

  @Post('members')
  async updateMembers(
    @Caller() { by }: Caller,
    @PathId('user_group_id') groupId: number,
    @Parameters() parameters: UpdateMembersParameters,
  ): Promise<void> {
    const { add, delete: remove, add_subgroups: addSubgroups, delete_subgroups: removeSubgroups } = parameters;
    const changes = { add, remove, addSubgroups, removeSubgroups };
    await this.dispatch.do(new UpdateMembers({ groupId, changes, by }));
  }

  @Get('subgroups')
  async subgroups(
    @Caller() { user }: Caller,
    @PathId('user_group_id') groupId: number,
    @Parameters() { direct_subgroup_only }: GetSubgroupsParameters,
  ): Promise<{ subgroups: readonly number[] }> {
    return {
      subgroups: await this.dispatch.ask(new GetSubgroups({ reader: user, groupId, directly: direct_subgroup_only })),
    };
  }

  @Post('subgroups')
  async updateSubgroups(
    @Caller() { by }: Caller,
    @PathId('user_group_id') groupId: number,
    @Parameters() { add, delete: remove }: UpdateSubgroupsParameters,
  ): Promise<void> {
    await this.dispatch.do(new UpdateSubgroups({ groupId, add, remove, by }));
  }
}
