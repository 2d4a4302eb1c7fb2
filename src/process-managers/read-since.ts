import type { CommandRunner } from '../command-runner/command-runner.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { MessageRow } from '../messages/queries/rows/message-block.js';
import { READ_STATE_STREAMS, type ReadStateEvent } from '../read-state/domain/read-state.events.js';

/**
 * What the log has said since an event of which messages somebody has read: that stays, whoever handles the event again,
 * and however little the documents know of it by then. Looked up once, and only where there is something to leave out of.
 */
export class ReadSince {
  private said: Promise<ReadonlyMap<number, readonly Recorded<ReadStateEvent>[]>> | undefined;

  constructor(
    private readonly cause: Recorded,
    private readonly runner: CommandRunner,
  ) {}

  /** @returns the messages of which nothing has been said, and how far the log has been followed for that */
  async leftOf(
    userId: number,
    rows: readonly MessageRow[],
  ): Promise<{ readonly rows: readonly MessageRow[]; readonly position: Position }> {
    if (rows.length === 0) return { rows, position: this.cause.position };
    this.said ??= this.lookUp();
    const said = (await this.said).get(userId) ?? [];
    const position = said.at(-1)?.position ?? this.cause.position;
    if (said.some(({ type }) => type === 'AllMessagesRead')) return { rows: [], position };
    const ids = rows.map(({ _id }) => _id).sort((a, b) => a - b);
    const left = new Set(ids);
    for (const event of said)
      if (event.type !== 'AllMessagesRead')
        for (const [from, to] of event.data.ranges)
          for (let at = firstFrom(ids, from); at < ids.length && (ids[at] as number) <= to; at++)
            left.delete(ids[at] as number);
    return { rows: rows.filter(({ _id }) => left.has(_id)), position };
  }

  private async lookUp(): Promise<ReadonlyMap<number, readonly Recorded<ReadStateEvent>[]>> {
    const byUser = new Map<number, Recorded<ReadStateEvent>[]>();
    for await (const event of this.runner.eventsSince<ReadStateEvent>(this.cause, READ_STATE_STREAMS)) {
      if (event.type !== 'AllMessagesRead' && event.data.flag !== 'read') continue;
      const { userId } = event.data;
      const own = byUser.get(userId) ?? [];
      own.push(event);
      byUser.set(userId, own);
    }
    return byUser;
  }
}

/** @returns index of the first of ascending ids that is not less */
function firstFrom(ids: readonly number[], from: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
