import {
  type AllMessagesRead,
  type FlagsAdded,
  type FlagsRemoved,
  OWN_FLAGS,
  type OwnFlag,
  rangesOf,
} from '../../../events/read-state/read-state.events.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Command, refuse } from '../../../platform/kernel/deciding.js';

export type FlagOperation = 'add' | 'remove';

/** Message flags that only the server sets. */
const FIXED_FLAGS: readonly string[] = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
];

/** Greatest number of messages of one event. */
const MOST_IN_ONE = 5000;

/** Adds a flag of the user's own to messages, or removes it. */
export class ChangeFlags extends Command<
  {
    userId: number;
    messageIds: readonly number[];
    operation: FlagOperation;
    /** As the client names it. */
    flag: string;
  },
  FlagChanges
> {}

/** Facts about a message that the user may read. */
export interface FlagFacts {
  readonly id: number;
  readonly isSet: boolean;
  /** null: a direct message. */
  readonly channelId: number | null;
  /** Whether the user is subscribed to its channel; meaningless for a direct message. */
  readonly isSubscribed: boolean;
}

export interface FlagChanges {
  /** Several events are in order of their messages, the newest first. */
  readonly events: readonly (FlagsAdded | FlagsRemoved)[];
  /** Ids of the messages that change, ascending. */
  readonly changed: readonly number[];
  /** Channels whose messages cannot be unread because the user is not subscribed; ascending. */
  readonly ignoredChannelIds: readonly number[];
}

/** @throws DomainError INVALID_FLAG, FLAG_NOT_EDITABLE */
export function ownFlagNamed(flag: string): OwnFlag {
  if (FIXED_FLAGS.includes(flag)) refuse('FLAG_NOT_EDITABLE', { flag });
  return OWN_FLAGS.find((one) => one === flag) ?? refuse('INVALID_FLAG', { flag });
}

/** Decides on a report of flags. Messages that have the flag already, or lack it, are left out. */
export function decideChangeFlags(
  { userId, flag, operation }: { readonly userId: number; readonly flag: OwnFlag; readonly operation: FlagOperation },
  messages: readonly FlagFacts[],
): FlagChanges {
  const isAdded = operation === 'add';
  const marksUnread = flag === 'read' && !isAdded;
  const ignored = marksUnread ? messages.filter(isOutside) : [];
  const open = marksUnread ? messages.filter((message) => !isOutside(message)) : messages;
  const changed = open.flatMap(({ id, isSet }) => (isSet === isAdded ? [] : [id])).sort((a, b) => a - b);
  const ignoredChannelIds = [...new Set(ignored.flatMap(({ channelId }) => channelId ?? []))].sort((a, b) => a - b);
  return { events: flagEvents(userId, flag, operation, changed), changed, ignoredChannelIds };
}

/** @param ids ascending */
export function flagEvents(
  userId: number,
  flag: OwnFlag,
  operation: FlagOperation,
  ids: readonly number[],
): readonly (FlagsAdded | FlagsRemoved)[] {
  return batchesOf(ids).map((batch) => ({
    type: operation === 'add' ? 'FlagsAdded' : 'FlagsRemoved',
    data: { userId, flag, ranges: rangesOf(batch) },
  }));
}

/** The highest ids come first. */
function batchesOf(ids: readonly number[]): readonly (readonly number[])[] {
  const batches: (readonly number[])[] = [];
  for (let end = ids.length; end > 0; end -= MOST_IN_ONE) batches.push(ids.slice(Math.max(0, end - MOST_IN_ONE), end));
  return batches;
}

const isOutside = ({ channelId, isSubscribed }: FlagFacts): boolean => channelId !== null && !isSubscribed;

export interface NarrowFlagChanges extends Omit<FlagChanges, 'events'> {
  /** The messages in the range, by id. */
  readonly page: {
    readonly messages: readonly { readonly _id: number }[];
    readonly foundOldest: boolean;
    readonly foundNewest: boolean;
  };
}

/** Does the same as ChangeFlags, for the messages of a narrow around an anchor. */
export class ChangeFlagsInNarrow<Narrow, Range> extends Command<
  {
    userId: number;
    narrow: Narrow;
    range: Range;
    operation: FlagOperation;
    flag: string;
    connection: ClientConnection;
  },
  NarrowFlagChanges
> {}

/** Marks all messages as read. */
export class MarkAllRead extends Command<{ userId: number }> {}

/** Marks the messages of a channel, or of one of its topics, as read. */
export class MarkChannelRead extends Command<{
  userId: number;
  channelId: number;
  /** null: all topics. */
  topic: string | null;
}> {}

export const decideMarkAllRead = (
  { userId }: MarkAllRead,
  { hasUnread }: { readonly hasUnread: boolean },
): readonly AllMessagesRead[] => {
  if (!hasUnread) return [];
  return [{ type: 'AllMessagesRead', data: { userId } }];
};
