import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import type { UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { ReadStates } from '../../narrow/queries/flags/read-states.js';
import { readMovedIn } from '../../narrow/queries/moved-in.js';
import type { MessageRow } from '../../narrow/queries/rows/message-block.js';
import { MessageRows } from '../../narrow/queries/rows/message-rows.js';
import { unreadAsOf } from '../queries/unread-as-of.js';
import { markRead, subscriptionsOf } from './marked-read.js';
import { ReadSince } from './read-since.js';

/** Users handled at once. */
const CONCURRENCY = 8;

/**
 * Reports unread messages of a channel as read when their reader leaves it: nothing is unread in a channel that the reader
 * has left. Clients that showed these messages as unread learn of it by the reports.
 */
export const leftBehind = processManager<UsersUnsubscribed>({
  name: 'left-behind',
  on: 'UsersUnsubscribed',
  inBackground: true,
  react: async (event, runner, readModels, signal) => {
    await knownThrough(event.position, [directoryProjection, messages, readState], readModels);
    const since = new ReadSince(event, runner);
    let reached = event.position;
    const leaveOne = async (userId: number): Promise<void> => {
      const position = await leave(userId, event, since, runner, readModels);
      reached = Math.max(reached, position);
    };
    await forEachConcurrently(event.data.userIds, CONCURRENCY, leaveOne, signal);
    return reached;
  },
});

async function leave(
  userId: number,
  event: Recorded<UsersUnsubscribed>,
  since: ReadSince,
  runner: CommandRunner,
  readModels: ReadModels,
): Promise<Position> {
  for (;;) {
    const before = await whereabouts(event, readModels);
    const rows = await unreadLeft(userId, event, before, readModels);
    // A message that moved meanwhile may have been missed in both places.
    if ((await whereabouts(event, readModels)).newest === before.newest)
      return markRead('left-behind', userId, rows, event, since, runner);
  }
}

async function unreadLeft(
  userId: number,
  { position, data: { channelId } }: Recorded<UsersUnsubscribed>,
  { now, before }: Whereabouts,
  readModels: ReadModels,
): Promise<readonly MessageRow[]> {
  const subscriptions = await subscriptionsOf(userId, before, readModels);
  const state = await ReadStates.sharedBy(readModels).of(userId, position);
  const wanted = {
    channelIds: now,
    conversations: new Set<number>(),
    accepts: (row: MessageRow): boolean => row.type === 'channel' && row.channelId === channelId,
  };
  const reader = { userId, state, subscriptions };
  return unreadAsOf(position, reader, MessageRows.sharedBy(readModels), wanted);
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
