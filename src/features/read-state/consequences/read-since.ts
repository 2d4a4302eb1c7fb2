import { READ_STATE_STREAMS, type ReadStateEvent } from '../../../events/read-state/read-state.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';

/**
 * Changes of `read` flags in the log since an event. Such a flag stays when the event is handled again, even if the
 * documents do not have its change yet. The log is read once, and only if there are messages to report.
 */
export class ReadSince {
  private changes: Promise<ReadonlyMap<number, readonly Recorded<ReadStateEvent>[]>> | undefined;

  constructor(
    private readonly cause: Recorded,
    private readonly runner: CommandRunner,
  ) {}

  /** @returns the messages whose flag has not changed, and the position that the log was read to */
  async unchanged(
    userId: number,
    messageIds: readonly number[],
  ): Promise<{ readonly messageIds: readonly number[]; readonly position: Position }> {
    if (messageIds.length === 0) return { messageIds, position: this.cause.position };
    this.changes ??= this.lookUp();
    const changes = (await this.changes).get(userId) ?? [];
    const position = changes.at(-1)?.position ?? this.cause.position;
    if (changes.length === 0) return { messageIds, position };
    if (changes.some(({ type }) => type === 'AllMessagesRead')) return { messageIds: [], position };
    const ids = messageIds.toSorted((a, b) => a - b);
    const remaining = new Set(ids);
    for (const event of changes)
      if (event.type !== 'AllMessagesRead')
        for (const [from, to] of event.data.ranges)
          for (let at = firstFrom(ids, from); at < ids.length && (ids[at] as number) <= to; at++)
            remaining.delete(ids[at] as number);
    return { messageIds: messageIds.filter((id) => remaining.has(id)), position };
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

/** @returns index of the first of ascending ids that is not less than `from` */
function firstFrom(ids: readonly number[], from: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
