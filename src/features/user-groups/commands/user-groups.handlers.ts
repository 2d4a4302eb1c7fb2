import { Directory } from '../../../directory/directory.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { may, requireMember } from '../../../directory/permissions.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { CreateUserGroup, decideCreateUserGroup } from '../domain/create-user-group.js';
import { decideReturnNamedGroups, ReturnNamedGroups } from '../domain/return-named-groups.js';
import { decideUpdateMembers, UpdateMembers } from '../domain/update-members.js';
import { decideUpdateSubgroups, UpdateSubgroups } from '../domain/update-subgroups.js';
import { decideUpdateUserGroup, UpdateUserGroup } from '../domain/update-user-group.js';
import { actorOf, groupPermissions } from './group-actor.js';
import { userGroupsStream } from './user-groups-stream.js';

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
