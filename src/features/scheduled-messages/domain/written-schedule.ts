import type { Recipient } from '../../../events/messages/messages.events.js';
import type {
  ScheduledRecipient,
  ScheduledWords,
} from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Addressee, WrittenMessage } from '../../messages/domain/send-message.js';

export function scheduledRecipient(recipient: Recipient, writerId: number): ScheduledRecipient {
  if (recipient.type === 'channel') return { type: 'channel', channelId: recipient.channelId };
  const others = recipient.userIds.filter((id) => id !== writerId);
  return { type: 'direct', userIds: others.length === 0 ? [writerId] : others };
}

export const wordsOf = ({ recipient, content: { text, rendered } }: WrittenMessage): ScheduledWords => ({
  topic: recipient.type === 'channel' ? recipient.topic : '',
  text,
  rendered,
});

/** @param ids the channel's, or those of users @throws DomainError ONE_CHANNEL_EXPECTED */
export function addresseeWith(type: Addressee['type'], ids: readonly number[], topic: string | null): Addressee {
  if (type === 'direct') return { type, users: [...new Set(ids)] };
  const [channel] = ids;
  if (channel === undefined || ids.length > 1) return refuse('ONE_CHANNEL_EXPECTED');
  return { type, channel, topic };
}

/** The addressees as a send names them. */
export const addresseeOf = (recipient: ScheduledRecipient, topic: string): Addressee =>
  recipient.type === 'channel'
    ? { type: 'channel', channel: recipient.channelId, topic }
    : { type: 'direct', users: recipient.userIds };
