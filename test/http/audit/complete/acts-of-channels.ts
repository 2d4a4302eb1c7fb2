import { SYSTEM_GROUP_IDS } from '../../../../src/events/shared/group-setting.js';
import {
  type Actor,
  type AuditedActs,
  administrators,
  type Expected,
  everybody,
  members,
  owners,
} from './audited-act.js';
import type { Scene } from './scene.js';

export const actsOfChannels: AuditedActs = {
  'POST /channels/create': [
    members(async (scene, by) => {
      const name = scene.name();
      return {
        params: { name, description: 'As made', subscribers: [by.id] },
        becomes: { kind: 'ChannelCreated', data: { name, description: 'As made', creatorId: by.id } },
      };
    }),
  ],
  'POST /users/me/subscriptions': [
    members(async (scene, by) => {
      const { id, name } = await scene.channel();
      return {
        params: { subscriptions: [{ name }] },
        becomes: { kind: 'UsersSubscribed', data: { channelId: id, userIds: [by.id] } },
      };
    }),
    members(async (scene) => {
      const name = scene.name();
      return { params: { subscriptions: [{ name }] }, becomes: { kind: 'ChannelCreated', data: { name } } };
    }),
  ],
  'PATCH /users/me/subscriptions': [
    members(async (scene, by) => {
      const { id, name } = await scene.channel();
      return {
        params: { add: [{ name }] },
        becomes: { kind: 'UsersSubscribed', data: { channelId: id, userIds: [by.id] } },
      };
    }),
    everybody(async (scene, by) => {
      const { id, name } = await scene.channel([by]);
      return {
        params: { delete: [name] },
        becomes: { kind: 'UsersUnsubscribed', data: { channelId: id, userIds: [by.id] } },
      };
    }),
  ],
  'DELETE /users/me/subscriptions': [
    everybody(async (scene, by) => {
      const { id, name } = await scene.channel([by]);
      return {
        params: { subscriptions: [name] },
        was: { kind: 'UsersSubscribed', data: { channelId: id } },
        becomes: { kind: 'UsersUnsubscribed', data: { channelId: id, userIds: [by.id] } },
      };
    }),
    administrators(async (scene, by) => {
      const other = await scene.user();
      const { id, name } = await scene.channel([by, other]);
      return {
        params: { subscriptions: [name], principals: [other.id] },
        becomes: { kind: 'UsersUnsubscribed', data: { channelId: id, userIds: [other.id] } },
      };
    }),
  ],
  'POST /users/me/subscriptions/properties': [
    everybody(async (scene, by) => {
      const { id } = await scene.channel([by]);
      const data = { channelId: id, userId: by.id, setting: 'pin_to_top', from: false, to: true };
      return {
        params: { subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }] },
        becomes: { kind: 'SubscriptionSettingChanged', data },
      };
    }),
  ],
  'PATCH /streams/{stream_id}': [
    changes((name) => [{ new_name: `${name}b` }, 'ChannelRenamed', { from: name, to: `${name}b` }]),
    changes(() => [{ description: 'New' }, 'ChannelDescriptionChanged', { from: 'As made', to: 'New' }]),
    changes(() => [
      { is_private: true },
      'ChannelPrivacyChanged',
      { from: { inviteOnly: false }, to: { inviteOnly: true } },
    ]),
    changes(() => [{ topics_policy: 'allow_empty_topic' }, 'ChannelTopicsPolicyChanged', { to: 'allow_empty_topic' }]),
    changes(() => [{ is_default_stream: true }, 'DefaultChannelAdded', {}]),
    changes(() => [
      { can_send_message_group: { new: SYSTEM_GROUP_IDS['role:moderators'] } },
      'ChannelPermissionChanged',
      {
        setting: 'can_send_message_group',
        from: SYSTEM_GROUP_IDS['role:everyone'],
        to: SYSTEM_GROUP_IDS['role:moderators'],
      },
    ]),
    administrators(async (scene, by) => {
      const [{ id }, inside] = [await scene.channel([by]), await folder(scene)];
      return {
        path: `/streams/${id}`,
        params: { folder_id: inside.id },
        becomes: { kind: 'ChannelPutInFolder', data: { channelId: id, from: null, to: inside.id } },
      };
    }),
    owners(async (scene, by) => {
      const { id } = await scene.channel([by]);
      return {
        path: `/streams/${id}`,
        params: { message_retention_days: 'unlimited' },
        becomes: { kind: 'ChannelRetentionChanged', data: { channelId: id, from: null, to: -1 } },
      };
    }),
    administrators(async (scene, by) => {
      const { id } = await scene.channel([by]);
      await scene.done(scene.owner, 'DELETE', `/streams/${id}`);
      return {
        path: `/streams/${id}`,
        params: { is_archived: false },
        was: { kind: 'ChannelArchived', data: { channelId: id } },
        becomes: { kind: 'ChannelUnarchived', data: { channelId: id } },
      };
    }),
  ],
  'POST /channel_folders/create': [
    administrators(async (scene, by) => {
      const name = scene.name();
      const data = { name, description: 'As made', creatorId: by.id };
      return { params: { name, description: 'As made' }, becomes: { kind: 'ChannelFolderCreated', data } };
    }),
  ],
  'PATCH /channel_folders/{channel_folder_id}': [
    changesFolder((name) => [{ name: `${name}b` }, 'ChannelFolderRenamed', { from: name, to: `${name}b` }]),
    changesFolder(() => [{ description: 'New' }, 'ChannelFolderDescriptionChanged', { from: 'As made', to: 'New' }]),
    changesFolder((name) => [{ is_archived: true }, 'ChannelFolderArchived', { name }]),
    administrators(async (scene) => {
      const { id, name } = await folder(scene);
      await scene.done(scene.owner, 'PATCH', `/channel_folders/${id}`, { is_archived: true });
      return {
        path: `/channel_folders/${id}`,
        params: { is_archived: false },
        was: { kind: 'ChannelFolderArchived', data: { folderId: id } },
        becomes: { kind: 'ChannelFolderUnarchived', data: { folderId: id, name } },
      };
    }),
  ],
  'PATCH /channel_folders': [
    administrators(async (scene) => {
      await folder(scene);
      await folder(scene);
      const { channel_folders } = (await scene.owner.api.get('/channel_folders', { include_archived: true })).body;
      const from = channel_folders.map(({ id }: { id: number }) => id);
      const to = [...from].reverse();
      return { params: { order: to }, becomes: { kind: 'ChannelFoldersReordered', data: { from, to } } };
    }),
  ],
  'DELETE /streams/{stream_id}': [
    administrators(async (scene, by) => {
      const { id, name } = await scene.channel([by]);
      return {
        path: `/streams/${id}`,
        was: { kind: 'ChannelCreated', data: { channelId: id, name } },
        becomes: { kind: 'ChannelArchived', data: { channelId: id } },
      };
    }),
  ],
  'POST /default_streams': [
    administrators(async (scene) => {
      const { id } = await scene.channel();
      return { params: { stream_id: id }, becomes: { kind: 'DefaultChannelAdded', data: { channelId: id } } };
    }),
  ],
  'DELETE /default_streams': [
    administrators(async (scene) => {
      const { id } = await scene.channel();
      await scene.done(scene.owner, 'POST', '/default_streams', { stream_id: id });
      return {
        params: { stream_id: id },
        was: { kind: 'DefaultChannelAdded', data: { channelId: id } },
        becomes: { kind: 'DefaultChannelRemoved', data: { channelId: id } },
      };
    }),
  ],
  'POST /user_topics': [
    everybody(async (scene, by) => {
      const { channelId, topic } = await scene.message(scene.owner, by);
      return {
        params: { stream_id: channelId, topic, visibility_policy: 1 },
        becomes: policySet(by, { channelId, topic, from: 0, to: 1 }),
      };
    }),
  ],
  'PATCH /users/me/subscriptions/muted_topics': [
    everybody(async (scene, by) => {
      const { channelId, topic } = await scene.message(scene.owner, by);
      return {
        params: { stream_id: channelId, topic, op: 'add' },
        becomes: policySet(by, { channelId, topic, from: 0, to: 1 }),
      };
    }),
  ],
};

const policySet = (by: Actor, data: object): Expected => ({ kind: 'TopicPolicySet', data: { userId: by.id, ...data } });

/** A change of a channel by its administrators. */
function changes(change: (name: string) => readonly [params: Record<string, unknown>, kind: string, data: object]) {
  return administrators(async (scene: Scene, by: Actor) => {
    const { id, name } = await scene.channel([by], { description: 'As made' });
    const [params, kind, data] = change(name);
    return { path: `/streams/${id}`, params, becomes: { kind, data: { channelId: id, ...data } } };
  });
}

async function folder(scene: Scene): Promise<{ readonly id: number; readonly name: string }> {
  const name = scene.name();
  const made = { name, description: 'As made' };
  const { body } = await scene.owner.api.post('/channel_folders/create', made);
  return { id: body.channel_folder_id, name };
}

/** A change of a folder of channels by administrators. */
function changesFolder(
  change: (name: string) => readonly [params: Record<string, unknown>, kind: string, data: object],
) {
  return administrators(async (scene: Scene) => {
    const { id, name } = await folder(scene);
    const [params, kind, data] = change(name);
    return { path: `/channel_folders/${id}`, params, becomes: { kind, data: { folderId: id, ...data } } };
  });
}
