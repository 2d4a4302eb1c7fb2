import { directoryProjection } from '../../projections/directory.projection.js';
import { messages } from '../../projections/messages.projection.js';
import { readState } from '../../projections/read-state.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import { arrivalsIn } from '../messages/queries/arrivals.js';
import type { MessageRow } from '../messages/queries/rows/message-block.js';
import { MessageRows } from '../messages/queries/rows/message-rows.js';
import { ReadStates } from '../read-state/queries/read-states.js';
import { unreadAsOf } from '../read-state/queries/unread-as-of.js';
import type { UsersUnsubscribed } from '../subscriptions/domain/subscriptions.events.js';
import { knownThrough } from './known-documents.js';
import { markRead, subscriptionsOf } from './marked-read.js';
import { processManager } from './process-manager.js';
import { ReadSince } from './read-since.js';

/** Users looked after at once. */
const HANDS = 8;

/**
 * Nothing is unread in a channel that one has left: that follows from leaving it. What clients showed as unread then is
 * reported as read besides, so that they are told.
 */
export const leftBehind = processManager<UsersUnsubscribed>({
  name: 'left-behind',
  on: 'UsersUnsubscribed',
  isAside: true,
  react: async (event, runner, readModels, signal) => {
    await knownThrough(event.position, [directoryProjection, messages, readState], readModels);
    const since = new ReadSince(event, runner);
    const userIds = [...event.data.userIds];
    let reached = event.position;
    const hand = async (): Promise<void> => {
      for (let userId = userIds.shift(); userId !== undefined && !signal.aborted; userId = userIds.shift())
        reached = Math.max(reached, await leave(userId, event, since, runner, readModels));
    };
    await Promise.all(Array.from({ length: HANDS }, hand));
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
    // A message that was moved while they were looked through may have been passed by twice.
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

/** Of the messages that were in a channel when somebody left it. */
interface Whereabouts {
  /** Channels where they may be now. */
  readonly now: ReadonlySet<number>;
  /** Channels where they may have been by then. */
  readonly before: readonly number[];
  /** Position of the newest move that may have taken any of them. */
  readonly newest: Position;
}

/** Few channels hold messages from others: most of the time, it is the channel itself and no other. */
async function whereabouts(
  { position, data: { channelId } }: Recorded<UsersUnsubscribed>,
  readModels: ReadModels,
): Promise<Whereabouts> {
  const arrivals = await arrivalsIn(readModels);
  const sentTo = new Set([channelId]);
  for (const arrived of arrivals) if (arrived.channelId === channelId) sentTo.add(arrived.firstChannelId);
  const own = arrivals.filter(({ firstChannelId }) => sentTo.has(firstChannelId));
  const since = own.filter((arrived) => arrived.position > position);
  return {
    now: new Set([channelId, ...since.map((arrived) => arrived.channelId)]),
    before: [...new Set([...sentTo, ...own.map((arrived) => arrived.channelId)])],
    newest: own.reduce((newest, arrived) => Math.max(newest, arrived.position), position),
  };
}
