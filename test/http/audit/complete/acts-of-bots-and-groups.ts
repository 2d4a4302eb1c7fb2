import { expect } from '@jest/globals';
import { SYSTEM_GROUP_IDS } from '../../../../src/events/shared/group-setting.js';
import { type AuditedAct, type AuditedActs, administrators, MEMBERS, members, owners } from './audited-act.js';

const HASH = '(hash)';

/** Guests have no bots. */
const ofOwnBots = (ask: AuditedAct['ask']): AuditedAct => ({ may: MEMBERS, mayNot: [], ask });

export const actsOfBotsAndGroups: AuditedActs = {
  'POST /bots': [
    members(async (scene, by) => {
      const name = scene.name();
      return {
        params: { full_name: name, short_name: name },
        becomes: { kind: 'BotCreated', data: { fullName: name, ownerId: by.id, keyHash: HASH } },
      };
    }),
  ],
  'POST /external/{integration}': [
    ofOwnBots(async (scene, by) => {
      const bot = await scene.bot(by, { bot_type: 2 });
      const { id: channelId } = await scene.channel([by]);
      const topic = scene.name();
      const query = new URLSearchParams({ api_key: bot.apiKey, stream: String(channelId), topic });
      return {
        path: `/external/slack_incoming?${query}`,
        params: { payload: JSON.stringify({ text: 'As sent' }) },
        by: bot,
        becomes: {
          kind: 'MessageSent',
          data: { senderId: bot.id, recipient: { channelId, topic }, content: { text: 'As sent' } },
        },
      };
    }),
  ],
  'PATCH /bots/{bot_id}': [
    ofOwnBots(async (scene, by) => {
      const { id } = await scene.bot(by);
      const to = scene.name();
      return {
        path: `/bots/${id}`,
        params: { full_name: to },
        becomes: { kind: 'UserRenamed', data: { userId: id, from: expect.any(String), to } },
      };
    }),
    administrators(async (scene) => {
      const { id } = await scene.bot(scene.owner);
      const { id: to } = await scene.user();
      return {
        path: `/bots/${id}`,
        params: { bot_owner_id: to },
        becomes: { kind: 'BotOwnerChanged', data: { userId: id, from: scene.owner.id, to } },
      };
    }),
  ],
  'DELETE /bots/{bot_id}': [
    ofOwnBots(async (scene, by) => {
      const { id } = await scene.bot(by);
      return {
        path: `/bots/${id}`,
        was: { kind: 'BotCreated', data: { userId: id } },
        becomes: { kind: 'UserDeactivated', data: { userId: id } },
      };
    }),
    administrators(async (scene) => {
      const { id } = await scene.bot(scene.owner);
      return { path: `/bots/${id}`, becomes: { kind: 'UserDeactivated', data: { userId: id } } };
    }),
  ],
  'POST /bots/{bot_id}/api_key/regenerate': [
    ofOwnBots(async (scene, by) => {
      const { id } = await scene.bot(by);
      return {
        path: `/bots/${id}/api_key/regenerate`,
        becomes: { kind: 'ApiKeysRegenerated', data: { userId: id, keyHash: HASH } },
      };
    }),
    administrators(async (scene) => {
      const { id } = await scene.bot(scene.owner);
      return {
        path: `/bots/${id}/api_key/regenerate`,
        becomes: { kind: 'ApiKeysRegenerated', data: { userId: id, keyHash: HASH } },
      };
    }),
  ],
  'POST /user_groups/create': [
    members(async (scene, by) => {
      const name = scene.name();
      return {
        params: { name, description: 'As made', members: [by.id] },
        becomes: { kind: 'UserGroupCreated', data: { name, description: 'As made', memberIds: [by.id] } },
      };
    }),
  ],
  'PATCH /user_groups/{user_group_id}': [
    ofGroups((name) => [{ name: `${name}b` }, 'UserGroupRenamed', { from: name, to: `${name}b` }]),
    ofGroups(() => [{ description: 'New' }, 'UserGroupDescriptionChanged', { from: 'As made', to: 'New' }]),
    ofGroups(() => [
      { can_mention_group: { new: SYSTEM_GROUP_IDS['role:moderators'] } },
      'UserGroupPermissionChanged',
      {
        setting: 'can_mention_group',
        from: SYSTEM_GROUP_IDS['role:everyone'],
        to: SYSTEM_GROUP_IDS['role:moderators'],
      },
    ]),
    owners(async (scene) => {
      const { id } = await scene.group();
      await scene.done(scene.owner, 'POST', `/user_groups/${id}/deactivate`);
      return {
        path: `/user_groups/${id}`,
        params: { deactivated: false },
        was: { kind: 'UserGroupDeactivated', data: { groupId: id } },
        becomes: { kind: 'UserGroupReactivated', data: { groupId: id } },
      };
    }),
  ],
  'POST /user_groups/{user_group_id}/deactivate': [
    owners(async (scene) => {
      const { id } = await scene.group();
      return {
        path: `/user_groups/${id}/deactivate`,
        becomes: { kind: 'UserGroupDeactivated', data: { groupId: id } },
      };
    }),
  ],
  'DELETE /user_groups/{user_group_id}': [
    owners(async (scene) => {
      const { id } = await scene.group();
      return { path: `/user_groups/${id}`, becomes: { kind: 'UserGroupDeactivated', data: { groupId: id } } };
    }),
  ],
  'POST /user_groups/{user_group_id}/members': [
    owners(async (scene) => {
      const [{ id }, { id: userId }] = [await scene.group(), await scene.user()];
      return {
        path: `/user_groups/${id}/members`,
        params: { add: [userId] },
        becomes: { kind: 'UserGroupMembersAdded', data: { groupId: id, userIds: [userId] } },
      };
    }),
    owners(async (scene) => {
      const { id: userId } = await scene.user();
      const { id } = await scene.group([userId]);
      return {
        path: `/user_groups/${id}/members`,
        params: { delete: [userId] },
        was: { kind: 'UserGroupCreated', data: { groupId: id, memberIds: [userId] } },
        becomes: { kind: 'UserGroupMembersRemoved', data: { groupId: id, userIds: [userId] } },
      };
    }),
  ],
  'POST /user_groups/{user_group_id}/subgroups': [
    owners(async (scene) => {
      const [{ id }, { id: sub }] = [await scene.group(), await scene.group()];
      return {
        path: `/user_groups/${id}/subgroups`,
        params: { add: [sub] },
        becomes: { kind: 'UserGroupSubgroupsAdded', data: { groupId: id, subgroupIds: [sub] } },
      };
    }),
    owners(async (scene) => {
      const { id: sub } = await scene.group();
      const { id } = await scene.group([], [sub]);
      return {
        path: `/user_groups/${id}/subgroups`,
        params: { delete: [sub] },
        was: { kind: 'UserGroupCreated', data: { groupId: id, subgroupIds: [sub] } },
        becomes: { kind: 'UserGroupSubgroupsRemoved', data: { groupId: id, subgroupIds: [sub] } },
      };
    }),
  ],
};

/** A change of a group by owners, who may manage all groups. */
function ofGroups(change: (name: string) => readonly [params: Record<string, unknown>, kind: string, data: object]) {
  return owners(async (scene) => {
    const { id, name } = await scene.group();
    const [params, kind, data] = change(name);
    return { path: `/user_groups/${id}`, params, becomes: { kind, data: { groupId: id, ...data } } };
  });
}
