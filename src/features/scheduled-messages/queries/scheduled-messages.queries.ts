import {
  type ScheduledMessageDocument,
  scheduledMessages,
  scheduledMessagesAdd,
  scheduledMessagesUpdate,
} from '../../../../projections/scheduled-messages/scheduled-messages.projection.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';
import { itemEvents } from '../../event-queues/item-events.js';
import { listState } from '../../event-queues/list-state.js';

/** The published fields of a scheduled message. */
export type ScheduledMessageForClients = {
  readonly scheduled_message_id: number;
  readonly content: string;
  readonly rendered_content: string;
  /** Seconds since 1970. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
} & (
  | { readonly type: 'stream'; readonly to: number; readonly topic: string }
  | { readonly type: 'private'; readonly to: readonly number[] }
);

const forClients = (document: ScheduledMessageDocument): ScheduledMessageForClients => {
  const { scheduleId, recipient, topic, text, rendered, sendAt, isFailed } = document;
  return {
    scheduled_message_id: scheduleId,
    ...(recipient.type === 'channel'
      ? { type: 'stream', to: recipient.channelId, topic }
      : { type: 'private', to: recipient.userIds }),
    content: text,
    rendered_content: rendered,
    scheduled_delivery_timestamp: Math.floor(sendAt / 1000),
    failed: isFailed,
  };
};

/** All scheduled messages of a user that are not sent, the next first. */
export class GetScheduledMessages extends Query<{ userId: number }, readonly ScheduledMessageForClients[]> {}

export const scheduledMessageQueries = [
  answersFrom(GetScheduledMessages, READ_MODELS, async ({ userId }, readModels: ReadModels) =>
    (await itemsOf(scheduledMessages, userId, readModels)).items.map(forClients),
  ),
];

export const ScheduledMessageStateReader = listState({
  list: scheduledMessages,
  part: 'scheduled_messages',
  state: (items) => ({ scheduled_messages: items.map(forClients) }),
});

export const ScheduledMessageClientEvents = itemEvents({
  list: scheduledMessages,
  kinds: [scheduledMessagesAdd, scheduledMessagesUpdate],
  ids: ({ scheduleId }) => [scheduleId],
  idOf: ({ scheduleId }) => scheduleId,
  body: (kind, items) => {
    const messages = items.map(forClients);
    return kind === 'scheduled_messages/add'
      ? { type: 'scheduled_messages', op: 'add', scheduled_messages: messages }
      : { type: 'scheduled_messages', op: 'update', scheduled_message: messages[0] };
  },
});
