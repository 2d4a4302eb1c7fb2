import { Inject, Injectable, Logger } from '@nestjs/common';
import { messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import { unreadLeftIn } from '../../event-queues/queries/state/unread-rows.js';
import type { CommandContext } from '../../kernel/command-context.js';
import { derivedId } from '../../kernel/derived-id.js';
import type { Position } from '../../kernel/position.js';
import { MessageRows } from '../../messages/queries/rows/message-rows.js';
import { decideChangeFlags } from '../domain/change-flags.js';
import { ReadStates } from '../queries/read-states.js';
import { FlagReports } from './flag-reports.js';

/** Users looked after at once. */
const HANDS = 8;
/** An answer waits so long: who leaves nothing unread is told so a little later where thousands leave. */
const WAIT_BOUND_MS = 2000;
/** The newest; as many as a client is told of when it registers. */
const MOST = 50_000;

/** Somebody left a channel, by the event at a position. */
export interface Departure {
  readonly channelId: number;
  readonly userIds: readonly number[];
  readonly position: Position;
}

/**
 * Nothing is unread in a channel that one has left: that follows from leaving it. What clients still show as unread is
 * reported as read besides, so that they are told.
 */
@Injectable()
export class LeftBehind {
  private readonly log = new Logger('ReadState');

  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** Resolves when it is done, or will be. */
  async markRead(departures: readonly Departure[], by: CommandContext): Promise<void> {
    const left = departures.flatMap(({ channelId, position, userIds }) =>
      userIds.map((userId) => ({ channelId, position, userId })),
    );
    if (left.length === 0) return;
    const hand = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) await this.markOne(one, by);
    };
    const work = Promise.all(Array.from({ length: HANDS }, hand)).catch((error: unknown) =>
      this.log.warn(`clients still show messages of a channel that was left: ${String(error)}`),
    );
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_BOUND_MS);
    });
    await Promise.race([work, bound]);
    clearTimeout(timer);
  }

  private async markOne(
    {
      channelId,
      position,
      userId,
    }: { readonly channelId: number; readonly position: Position; readonly userId: number },
    by: CommandContext,
  ): Promise<void> {
    const { directory, readModels } = this;
    const reader = directory.user(userId);
    const ended = directory
      .subscriptionsOf(userId)
      .get(channelId)
      ?.intervals.find(({ to }) => to === position);
    if (!reader || !ended) return;
    await readModels.waitFor([messages], position);
    const state = await this.readStates.of(userId, position);
    const subscriptions = new Map(
      [...directory.subscriptionsOf(userId)].map(([id, { intervals }]) => [id, intervals] as const),
    );
    const rows = await unreadLeftIn(this.rows, reader, state, subscriptions, channelId, ended, MOST);
    const facts = rows.map(({ _id: id }) => ({ id, isSet: false, channelId, isSubscribed: false }));
    const { events } = decideChangeFlags({ userId, flag: 'read', operation: 'add' }, facts);
    const idOf = (index: number): string => derivedId('left-behind', channelId, position, userId, index);
    await this.reports.report(userId, events, by, idOf);
  }
}
