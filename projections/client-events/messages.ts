import { seersOf } from '../../src/directory/channel-sight.js';
import { type MessageSent, messageIdAt } from '../../src/messages/domain/messages.events.js';
import type { FeedChannel } from '../client-events.documents.js';
import { type EventHandlers, type EventLookUps, insert } from '../projection.js';
import { entry, told } from './entries.js';
import { channelOf } from './records.js';
import { written } from './written.js';

export const messageLookUps: EventLookUps<MessageSent> = {
  MessageSent: ({ data: { recipient } }) => (recipient.type === 'channel' ? [['channels', recipient.channelId]] : []),
};

export const messageRules: EventHandlers<MessageSent> = {
  MessageSent: async (event, documents) => {
    const { senderId, readBySender, recipient, localEcho } = event.data;
    const messageId = messageIdAt(event.revision);
    const part = { part: 'messages' } as const;
    if (recipient.type === 'direct') {
      const { userIds } = recipient;
      const to = { type: 'direct' as const, userIds };
      const payload = { messageId, senderId, readBySender, recipient: to, localEcho };
      return written(event, documents, [entry(event, 'message', { userIds }, payload, part)]);
    }
    const channel = await channelOf(recipient.channelId, documents);
    const { _id: channelId, name } = channel;
    const to = { type: 'channel' as const, channelId, topic: recipient.topic, isPublic: !channel.inviteOnly };
    const payload = { messageId, senderId, readBySender, recipient: to, localEcho };
    const sent = entry(event, 'message', { subscribersOf: channelId }, payload, part);
    if (channel.firstMessageId !== null && channel.firstMessageId !== messageId)
      return written(event, documents, [sent]);
    const begun: FeedChannel = { ...channel, firstMessageId: messageId };
    const first = { stream_id: channelId, name, property: 'first_message_id', value: messageId };
    const seers = { ...seersOf(channel), subscribersOf: channelId };
    return [
      insert('channels', begun),
      ...(await written(event, documents, [sent, { ...told(event, 'stream/update', seers, first), ...part }])),
    ];
  },
};
