import type { Position } from '../../kernel/position.js';
import { passesNothing } from '../event-filter.js';
import { BATCH_BYTES, type Batch, type EventFilter, type StoredEvent } from '../event-store.js';
import type { SharedLog } from './shared-log.js';

/** Number of examined events after which a page is returned even if it is not full. */
const MOST_LOOKED_AT = 200_000;

/** Reads one page of the log, from memory if possible. */
export async function readPage(
  log: SharedLog,
  after: Position,
  limit: number,
  filter: EventFilter | undefined,
): Promise<Batch> {
  const head = await log.head.read();
  if (after >= head) return { events: [], position: after, caughtUp: true };
  if (passesNothing(filter)) return { events: [], position: head, caughtUp: true };
  if (log.tail.isLive && log.recent.covers(after)) {
    await log.tail.reach(head);
    if (log.recent.covers(after)) return log.recent.read(after, limit, filter);
  }
  const events: StoredEvent[] = [];
  let position = after;
  let bytes = 0;
  let lookedAt = 0;
  const never = new AbortController().signal;
  for await (const found of log.catchUp.run({ after, limit, filter, head, signal: never })) {
    const room = limit - events.length;
    events.push(...found.events.slice(0, room));
    position = found.events.length > room ? (events.at(-1)?.position ?? after) : found.position;
    bytes += found.bytes;
    lookedAt += found.lookedAt;
    if (events.length === limit || bytes >= BATCH_BYTES || lookedAt >= MOST_LOOKED_AT) break;
  }
  return { events, position, caughtUp: position >= head };
}
