import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import type { UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { ReadStates } from '../../message-flags/services/read-states.js';
import { readMovedIn } from '../../messages/queries/reading/moved-in.js';
import { MessageRows } from '../../messages/services/message-rows.js';
import { unreadAsOf } from '../queries/unread-as-of.js';
import { markRead, subscriptionsOfAll } from './marked-read.js';
import { ReadSince } from './read-since.js';

/** Users whose documents are read together, at most. */
const TOGETHER = 100;
/** Fewer users are taken together if they might have more unread messages in all. */
const MOST_UNREAD = 10_000_000;
/** Appends under way at once. */
const APPENDS = 32;

/**
 * Reports unread messages of a channel as read when their reader leaves it: nothing is unread in a channel that the reader
 * has left. Clients that showed these messages as unread learn of it by the reports.
 */
export const leftBehind = processManager<UsersUnsubscribed>({
  name: 'left-behind',
  on: 'UsersUnsubscribed',
  appends: ['FlagsAdded'],
  reads: [directoryProjection, messages, readState],
  inBackground: true,
  react: async (event, runner, readModels, signal) => {
    await knownThrough(event.position, [directoryProjection, messages, readState], readModels);
    const { userIds } = event.data;
    const since = new ReadSince(event, runner);
    let reached = event.position;
    const highestId = await MessageRows.sharedBy(readModels).highestId();
    const together = Math.min(TOGETHER, Math.ceil(MOST_UNREAD / Math.max(1, highestId)));
    const report = async ({ userId, messageIds }: UnreadLeft): Promise<void> => {
      const position = await markRead('left-behind', userId, messageIds, event, since, runner);
      reached = Math.max(reached, position);
    };
    for (let at = 0; at < userIds.length && !signal.aborted; at += together) {
      const unread = await unreadLeft(userIds.slice(at, at + together), event, readModels);
      await forEachConcurrently(unread, APPENDS, report, signal);
    }
    return reached;
  },
});

/** Messages that were unread when their reader left. */
interface UnreadLeft {
  readonly userId: number;
  readonly messageIds: readonly number[];
}

async function unreadLeft(
  userIds: readonly number[],
  event: Recorded<UsersUnsubscribed>,
  readModels: ReadModels,
): Promise<readonly UnreadLeft[]> {
  const { position, data } = event;
  for (;;) {
    const { now, before, newest } = await whereabouts(event, readModels);
    const subscriptionsOf = await subscriptionsOfAll(userIds, before, readModels);
    const states = await ReadStates.sharedBy(readModels).ofMany(userIds, position);
    const readers = states.map((state) => {
      const { userId } = state;
      return { userId, state, subscriptions: subscriptionsOf(userId) };
    });
    const unread = await unreadAsOf(position, readers, MessageRows.sharedBy(readModels), {
      channelIds: now,
      conversations: new Set<number>(),
      accepts: (row) => row.type === 'channel' && row.channelId === data.channelId,
    });
    // A message that moved meanwhile may have been missed in both places.
    if ((await whereabouts(event, readModels)).newest !== newest) continue;
    return readers.map(({ userId }, at) => ({ userId, messageIds: unread[at] ?? [] }));
  }
}

/** Places of the messages that were in a channel when a user left it. */
interface Whereabouts {
  /** Channels that they may be in now. */
  readonly now: ReadonlySet<number>;
  /** Channels that they may have been in before the user left. */
  readonly before: readonly number[];
  /** Position of the newest move that may have taken any of them. */
  readonly newest: Position;
}

/** Few channels hold messages from others: mostly both sets have only the channel itself. */
async function whereabouts(
  { position, data: { channelId } }: Recorded<UsersUnsubscribed>,
  readModels: ReadModels,
): Promise<Whereabouts> {
  const movedIn = await readMovedIn(readModels);
  const sentTo = new Set([channelId]);
  for (const pair of movedIn) if (pair.channelId === channelId) sentTo.add(pair.firstChannelId);
  const own = movedIn.filter(({ firstChannelId }) => sentTo.has(firstChannelId));
  const since = own.filter((pair) => pair.position > position);
  return {
    now: new Set([channelId, ...since.map((pair) => pair.channelId)]),
    before: [...new Set([...sentTo, ...own.map((pair) => pair.channelId)])],
    newest: own.reduce((newest, pair) => Math.max(newest, pair.position), position),
  };
}
