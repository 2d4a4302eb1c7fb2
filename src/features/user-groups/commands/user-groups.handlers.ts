import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { actorOf, may, requireMember, type UserGroupAction } from '../../../directory/permissions.js';
import { settingsNaming } from '../../../directory/settings-naming.js';
import { USER_GROUPS_STREAM, type UserGroupEvent } from '../../../events/user-groups/user-groups.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { decideUpdateMembers, decideUpdateSubgroups, UpdateMembers, UpdateSubgroups } from '../domain/group-members.js';
import {
  CreateUserGroup,
  DeactivateUserGroup,
  decideCreateUserGroup,
  decideDeactivateUserGroup,
  decideReturnNamedGroups,
  decideUpdateUserGroup,
  ReturnNamedGroups,
  requireUnnamed,
  UpdateUserGroup,
} from '../domain/user-groups.js';
import { type UserGroupsState, userGroups } from '../domain/user-groups.state.js';

const userGroupsStream: CommandStream<UserGroupsState, UserGroupEvent> = {
  stream: USER_GROUPS_STREAM,
  decider: userGroups,
  expects: 'any',
};

/** Gives the actor's rights on a group. Nobody has rights on a missing group or a system group. */
function groupPermissions(
  groupId: number,
  by: CommandContext,
  directory: Directory,
): (action: UserGroupAction) => boolean {
  const actor = actorOf(by, directory);
  const group = directory.groups.group(groupId);
  return (to) => group !== undefined && may(actor, { group, to }, directory);
}

export const userGroupHandlers = [
  decidesOn(CreateUserGroup, {
    stream: userGroupsStream,
    decide: decideCreateUserGroup,
    uses: Directory,
    facts: ({ by }, directory) => {
      const creator = actorOf(by, directory);
      if (creator !== null) requireMember(creator);
      return {
        mayCreate: may(creator, 'can_create_groups', directory),
        isActiveUser: groupFacts(directory).isActiveUser,
      };
    },
    answer: ([created]) => {
      if (created?.type !== 'UserGroupCreated') throw new Error('a group was neither created nor refused');
      return created.data.groupId;
    },
  }),
  decidesOn(UpdateUserGroup, {
    stream: userGroupsStream,
    decide: decideUpdateUserGroup,
    uses: Directory,
    facts: ({ groupId, by }, directory) => ({
      mayManage: groupPermissions(groupId, by, directory)('manage'),
      isActiveUser: groupFacts(directory).isActiveUser,
    }),
  }),
  decidesOn(UpdateMembers, {
    stream: userGroupsStream,
    decide: decideUpdateMembers,
    uses: Directory,
    facts: ({ groupId, by }, directory) => {
      const allowed = groupPermissions(groupId, by, directory);
      return {
        mayAdd: allowed('add members'),
        mayRemove: allowed('remove members'),
        mayJoin: allowed('join'),
        mayLeave: allowed('leave'),
        isActiveUser: groupFacts(directory).isActiveUser,
      };
    },
  }),
  decidesOn(UpdateSubgroups, {
    stream: userGroupsStream,
    decide: decideUpdateSubgroups,
    uses: Directory,
    facts: ({ groupId, by }, directory) => {
      const allowed = groupPermissions(groupId, by, directory);
      return { mayAdd: allowed('add members'), mayRemove: allowed('remove members') };
    },
  }),
  decidesOn(ReturnNamedGroups, { stream: userGroupsStream, decide: decideReturnNamedGroups }),
];

@CommandHandler(DeactivateUserGroup)
export class DeactivateUserGroupHandler implements ICommandHandler<DeactivateUserGroup> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: DeactivateUserGroup): Promise<void> {
    const allowed = groupPermissions(command.groupId, command.by, this.directory);
    const facts = { mayManage: allowed('manage'), named: settingsNaming(command.groupId, this.directory) };
    await this.decisions.decide(userGroupsStream, decideDeactivateUserGroup, command, facts);

    // A permission that names the group was set during the decision: the group is in use, so it is reactivated.
    const named = settingsNaming(command.groupId, this.directory);
    if (named.realm.length === 0 && named.channels.length === 0) return;
    await this.commands.execute(new ReturnNamedGroups({ groupIds: [command.groupId], by: command.by }));
    requireUnnamed(named);
  }
}
