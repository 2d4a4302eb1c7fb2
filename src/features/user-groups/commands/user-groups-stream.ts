import { USER_GROUPS_STREAM, type UserGroupEvent } from '../../../events/user-groups/user-groups.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type UserGroupsState, userGroups } from '../domain/user-groups.state.js';

export const userGroupsStream: CommandStream<UserGroupsState, UserGroupEvent> = {
  stream: USER_GROUPS_STREAM,
  decider: userGroups,
  expects: 'any',
};
