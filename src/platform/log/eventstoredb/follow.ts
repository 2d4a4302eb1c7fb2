import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../kernel/position.js';
import { BATCH_BYTES, type Batch, type EventFilter, passesNothing, type StoredEvent } from '../event-store.js';
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

/** Subscribes to the log: catches up by a subscription of its own, then reads the events that the shared tail brings. */
export async function* follow(
  log: SharedLog,
  after: Position,
  filter: EventFilter | undefined,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  if (signal.aborted) return;
  const { tail, recent } = log;
  let position = after;
  let isFirst = true;
  let toldCaughtUp = false;
  // The first batches reach every append that was acknowledged before, to any process.
  let head = await log.head.read();
  let isHeadFresh = true;
  while (!signal.aborted) {
    if (passesNothing(filter) && !recent.covers(position)) position = Math.max(position, head);
    if (!recent.covers(position)) {
      for await (const found of log.catchUp.run({ after: position, limit, filter, head, signal })) {
        position = found.position;
        isFirst = false;
        toldCaughtUp = false;
        yield { ...found, caughtUp: false };
        if (recent.covers(position)) break;
      }
      if (signal.aborted) return;
      head = await log.head.read();
      isHeadFresh = true;
      continue;
    }
    await tail.reach(head, signal);
    if (signal.aborted) return;
    if (tail.failure) throw tail.failure;
    const batch = recent.read(position, limit, filter);
    // A tail that resumes may not know the newest events.
    const caughtUp = batch.caughtUp && (tail.isLive || isHeadFresh);
    isHeadFresh = false;
    if (isFirst || batch.position > position || (caughtUp && !toldCaughtUp)) {
      isFirst = false;
      toldCaughtUp = caughtUp;
      position = batch.position;
      yield { ...batch, caughtUp };
    }
    // Lets other work run between two batches.
    if (!batch.caughtUp) await nextTurn();
    else if (!tail.failure && recent.head <= position && (toldCaughtUp || !tail.isLive)) {
      await tail.changed.wait(undefined, signal);
    }
  }
}
