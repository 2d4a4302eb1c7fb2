import type {
  MessageScheduled,
  ScheduledHead,
  ScheduledMessageEdited,
  ScheduledMessageEvent,
  ScheduledWords,
} from '../../src/events/scheduled-messages/scheduled-messages.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Change } from '../../src/platform/read-models/projection.js';
import { type OwnItems, type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { clientEvent, staticClientEvent } from '../client-events/client-event.js';
import { toldToOwner } from '../client-events/written.js';

/** A message that is not sent yet, or could not be sent. */
export interface ScheduledMessageDocument extends ScheduledHead, ScheduledWords, UserItem {
  readonly scheduleId: number;
  /** The content key of the words, which names this version of the message. */
  readonly keyId: string;
  /** Name of the client program that wrote this version. */
  readonly client: string;
  readonly isFailed: boolean;
}

/** Names the message. Its content is filled in when the client event is sent. */
interface SchedulePayload {
  readonly scheduleId: number;
}

const PART = 'scheduled_messages';

export const scheduledMessagesAdd = clientEvent<SchedulePayload>()({
  kind: 'scheduled_messages/add',
  rank: 1024,
  part: PART,
});

export const scheduledMessagesUpdate = clientEvent<SchedulePayload>()({
  kind: 'scheduled_messages/update',
  rank: 1024,
  part: PART,
});

export const scheduledMessagesRemove = staticClientEvent<{ readonly scheduled_message_id: number }>()({
  kind: 'scheduled_messages/remove',
  rank: 1024,
  part: PART,
});

/** Messages that users have scheduled, the next first. One whose key is destroyed is left out. */
export const scheduledMessages = userList<ScheduledMessageEvent, ScheduledMessageDocument>({
  name: 'scheduled-messages',
  version: 1,
  holdsContent: true,
  items: 'scheduled',
  indexes: [{ keys: { userId: 1, sendAt: 1, scheduleId: 1 } }, { keys: { isFailed: 1, sendAt: 1 } }],
  order: { sendAt: 1, scheduleId: 1 },
  on: {
    MessageScheduled: (event, own) => [written(event, event.data, own)],
    ScheduledMessageEdited: (event, own) => [written(event, event.data.to, own)],
    ScheduledMessageDeleted: ({ data: { scheduleId } }, own) => [own.remove(scheduleId)],
    // Clients see no more of it than before.
    ScheduledMessageSendBegun: () => null,
    ScheduledMessageSent: ({ data: { scheduleId } }, own) => [own.remove(scheduleId)],
    ScheduledMessageFailed: ({ data: { scheduleId } }, own) => own.edit(scheduleId, { isFailed: true }),
  },
  told: toldToOwner<ScheduledMessageEvent>({
    MessageScheduled: (event, own) => [scheduledMessagesAdd.of(event, own, named(event.data))],
    ScheduledMessageEdited: (event, own) => [scheduledMessagesUpdate.of(event, own, named(event.data))],
    ScheduledMessageDeleted: (event, own) => [scheduledMessagesRemove.of(event, own, removed(event.data))],
    ScheduledMessageSent: (event, own) => [scheduledMessagesRemove.of(event, own, removed(event.data))],
    ScheduledMessageFailed: (event, own) => [scheduledMessagesUpdate.of(event, own, named(event.data))],
  }),
});

function written(
  { data: { scheduleId, keyId, words }, metadata: { client } }: Recorded<MessageScheduled | ScheduledMessageEdited>,
  { recipient, sendAt, readBySender }: ScheduledHead,
  own: OwnItems<ScheduledMessageDocument>,
): Change {
  if (words === null) return own.remove(scheduleId);
  const { topic, text, rendered } = words;
  const head = { scheduleId, recipient, sendAt, readBySender, keyId };
  return own.put(scheduleId, { ...head, topic, text, rendered, client, isFailed: false });
}

const named = ({ scheduleId }: SchedulePayload): SchedulePayload => ({ scheduleId });

const removed = ({ scheduleId }: SchedulePayload) => ({ scheduled_message_id: scheduleId });
