import { SYSTEM_GROUP_IDS } from '../../../../src/events/shared/group-setting.js';
import { type Actor, type AuditedActs, everybody, nobody, SEALED } from './audited-act.js';
import type { Scene } from './scene.js';

const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
const SHOWN_TADA = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' };

export const actsOfMessages: AuditedActs = {
  'POST /messages': [
    everybody(async (scene, by) => {
      const { id: to } = await scene.channel([by]);
      const topic = scene.name();
      return {
        params: { type: 'channel', to, topic, content: 'As sent' },
        becomes: {
          kind: 'MessageSent',
          data: { senderId: by.id, recipient: { channelId: to, topic }, content: { text: 'As sent' } },
        },
      };
    }),
    {
      may: [100, 200],
      ask: async (scene, by) => {
        const { id: to } = await scene.channel([by], {
          can_send_message_group: SYSTEM_GROUP_IDS['role:administrators'],
        });
        const topic = scene.name();
        return {
          params: { type: 'channel', to, topic, content: 'As sent' },
          becomes: { kind: 'MessageSent', data: { recipient: { channelId: to } } },
        };
      },
    },
  ],
  'PATCH /messages/{message_id}': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      return {
        path: `/messages/${id}`,
        params: { content: 'As edited' },
        was: { kind: 'MessageSent', data: { senderId: by.id, content: { text: 'As sent' } } },
        becomes: {
          kind: 'MessageEdited',
          data: { messageId: id, previousContentRevision: 0, content: { text: 'As edited' } },
        },
      };
    }),
    nobody(async (scene, by) => {
      const { id } = await scene.message(scene.owner, by);
      return { path: `/messages/${id}`, params: { content: 'Of others' }, becomes: { kind: 'MessageEdited' } };
    }),
    everybody(async (scene, by) => {
      const { id, channelId, topic } = await scene.message(scene.owner, by);
      const to = scene.name();
      return {
        path: `/messages/${id}`,
        params: { topic: to, propagate_mode: 'change_all', ...QUIET },
        becomes: { kind: 'MessagesMoved', data: { from: { channelId, topic }, to: { channelId, topic: to } } },
      };
    }),
  ],
  'DELETE /messages/{message_id}': [
    {
      may: [100, 200],
      ask: async (scene, by) => {
        const { id, channelId, topic } = await scene.message(scene.owner, by);
        return {
          path: `/messages/${id}`,
          was: { kind: 'MessageSent', data: { senderId: scene.owner.id, recipient: { channelId, topic } } },
          becomes: {
            kind: 'MessageDeleted',
            data: { messageId: id, senderId: scene.owner.id, place: { channelId, topic } },
          },
        };
      },
    },
  ],
  'POST /streams/{stream_id}/delete_topic': [
    {
      may: [100, 200],
      ask: async (scene, by) => {
        const { id, channelId, topic } = await scene.message(scene.owner, by);
        return {
          path: `/streams/${channelId}/delete_topic`,
          params: { topic_name: topic },
          was: { kind: 'MessageSent', data: { recipient: { channelId, topic } } },
          becomes: { kind: 'MessageDeleted', data: { messageId: id, place: { channelId, topic } } },
        };
      },
    },
  ],
  'POST /messages/{message_id}/report': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      const { id: channelId } = await scene.channel([], { invite_only: true });
      await scene.done(scene.owner, 'PATCH', '/realm', { moderation_request_channel_id: channelId });
      return {
        path: `/messages/${id}/report`,
        params: { report_type: 'spam' },
        becomes: { kind: 'MessageSent', data: { recipient: { type: 'channel', channelId } } },
      };
    }),
  ],
  'POST /messages/{message_id}/reactions': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      return {
        path: `/messages/${id}/reactions`,
        params: TADA,
        becomes: { kind: 'ReactionAdded', data: { messageId: id, userId: by.id, ...SHOWN_TADA } },
      };
    }),
  ],
  'DELETE /messages/{message_id}/reactions': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      await scene.done(by, 'POST', `/messages/${id}/reactions`, TADA);
      return {
        path: `/messages/${id}/reactions`,
        params: TADA,
        becomes: { kind: 'ReactionRemoved', data: { messageId: id, userId: by.id, ...SHOWN_TADA } },
      };
    }),
  ],
  'POST /messages/flags': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      return {
        params: { messages: [id], op: 'add', flag: 'starred' },
        becomes: { kind: 'FlagsAdded', data: { userId: by.id, flag: 'starred', ranges: [[id, id]] } },
      };
    }),
  ],
  'POST /messages/flags/narrow': [
    everybody(async (scene, by) => {
      const { id, channelId } = await scene.message(by);
      const narrow = [{ operator: 'channel', operand: channelId }];
      return {
        params: { anchor: 'newest', num_before: 10, num_after: 0, narrow, op: 'add', flag: 'starred' },
        becomes: { kind: 'FlagsAdded', data: { userId: by.id, ranges: [[id, id]] } },
      };
    }),
  ],
  'POST /mark_all_as_read': [
    everybody(async (scene, by) => {
      await scene.message(scene.owner, by);
      return { becomes: { kind: 'AllMessagesRead', data: { userId: by.id } } };
    }),
  ],
  'POST /mark_stream_as_read': [
    everybody(async (scene, by) => {
      const { id, channelId } = await scene.message(scene.owner, by);
      return {
        params: { stream_id: channelId },
        becomes: { kind: 'FlagsAdded', data: { userId: by.id, ranges: [[id, id]] } },
      };
    }),
  ],
  'POST /mark_topic_as_read': [
    everybody(async (scene, by) => {
      const { id, channelId, topic } = await scene.message(scene.owner, by);
      return {
        params: { stream_id: channelId, topic_name: topic },
        becomes: { kind: 'FlagsAdded', data: { userId: by.id, ranges: [[id, id]] } },
      };
    }),
  ],
  'POST /scheduled_messages': [
    everybody(async (scene, by) => {
      const { id: to } = await scene.channel([by]);
      const at = scene.later();
      return {
        params: { type: 'channel', to, topic: 't', content: 'Later', scheduled_delivery_timestamp: at },
        becomes: { kind: 'MessageScheduled', data: { userId: by.id, words: SEALED } },
      };
    }),
  ],
  'PATCH /scheduled_messages/{scheduled_message_id}': [
    everybody(async (scene, by) => {
      const { id, at } = await scheduled(scene, by);
      const next = scene.later();
      return {
        path: `/scheduled_messages/${id}`,
        params: { scheduled_delivery_timestamp: next, content: 'Other' },
        becomes: {
          kind: 'ScheduledMessageEdited',
          data: { scheduleId: id, from: { sendAt: at * 1000 }, to: { sendAt: next * 1000 } },
        },
      };
    }),
  ],
  'DELETE /scheduled_messages/{scheduled_message_id}': [
    everybody(async (scene, by) => {
      const { id } = await scheduled(scene, by);
      return {
        path: `/scheduled_messages/${id}`,
        was: { kind: 'MessageScheduled', data: { scheduleId: id } },
        becomes: { kind: 'ScheduledMessageDeleted', data: { scheduleId: id, userId: by.id } },
      };
    }),
  ],
  'POST /reminders': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      return {
        params: { message_id: id, scheduled_delivery_timestamp: scene.later(), note: 'Note' },
        becomes: { kind: 'ReminderSet', data: { userId: by.id, messageId: id, words: SEALED } },
      };
    }),
  ],
  'DELETE /reminders/{reminder_id}': [
    everybody(async (scene, by) => {
      const { id } = await scene.message(by);
      const asked = { message_id: id, scheduled_delivery_timestamp: scene.later() };
      const { reminder_id } = await scene.done(by, 'POST', '/reminders', asked);
      return {
        path: `/reminders/${reminder_id}`,
        was: { kind: 'ReminderSet', data: { reminderId: reminder_id, messageId: id } },
        becomes: { kind: 'ReminderDeleted', data: { reminderId: reminder_id } },
      };
    }),
  ],
};

async function scheduled(scene: Scene, by: Actor): Promise<{ id: number; at: number }> {
  const { id: to } = await scene.channel([by]);
  const at = scene.later();
  const message = { type: 'channel', to, topic: 't', content: 'Later', scheduled_delivery_timestamp: at };
  const { scheduled_message_id } = await scene.done(by, 'POST', '/scheduled_messages', message);
  return { id: scheduled_message_id, at };
}
