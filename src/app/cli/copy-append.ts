import { BackOff } from '../../platform/kernel/back-off.js';
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  RevisionConflict,
  type StoredEvent,
} from '../../platform/log/event-store.js';
import { CopyRefused } from './failure.js';

export interface SizedEvent {
  readonly event: StoredEvent;
  /** Bytes of its canonical JSON. */
  readonly bytes: number;
}

const MOST_EVENTS = 256;
/** Most bytes of an append: EventStoreDB takes a mebibyte, its own data included. */
const MOST_BYTES = 512 * 1024;
const ATTEMPTS = 8;

/**
 * Appends the events in their order, one append after the other, so that the target always has a beginning of the
 * source and nothing else. Neighbours in one stream go together.
 *
 * @throws CopyRefused if the target's streams differ from the source's; EventStoreUnavailable
 */
export async function appendInOrder(log: Pick<EventStore, 'append'>, events: readonly SizedEvent[]): Promise<void> {
  for (const run of runsOf(events)) {
    const [first] = run;
    const last = run.at(-1);
    if (!first || !last) continue;
    const { revision } = await appendRun(log, first, run);
    if (revision !== last.revision) {
      throw new CopyRefused(
        `${last.stream}@${last.revision} got revision ${revision} in the target: somebody else writes to it`,
      );
    }
  }
}

function* runsOf(events: readonly SizedEvent[]): Generator<readonly StoredEvent[]> {
  let run: StoredEvent[] = [];
  let size = 0;
  for (const { event, bytes } of events) {
    const last = run.at(-1);
    const goesOn = last?.stream === event.stream && event.revision === last.revision + 1;
    if (last && (!goesOn || run.length === MOST_EVENTS || size + bytes > MOST_BYTES)) {
      yield run;
      run = [];
      size = 0;
    }
    run.push(event);
    size += bytes;
  }
  if (run.length > 0) yield run;
}

async function appendRun(
  log: Pick<EventStore, 'append'>,
  { stream, revision }: StoredEvent,
  run: readonly StoredEvent[],
): Promise<AppendResult> {
  try {
    return await appendPatiently(log, stream, run.map(asNew), revision === 0 ? 'new' : revision - 1);
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    if (error.actual === null && revision > 0) {
      throw new CopyRefused(
        `${stream} begins at revision ${revision} in the source: its first events were truncated there, and a copy ` +
          'could not keep the revisions of the others',
      );
    }
    throw new CopyRefused(`${error.message}, in the target: somebody else writes to it`);
  }
}

/** Repeats an append with an unknown outcome unchanged: with its exact revision it is stored once. */
export async function appendPatiently(
  log: Pick<EventStore, 'append'>,
  stream: string,
  events: readonly NewEvent[],
  expected: number | 'new',
): Promise<AppendResult> {
  const backOff = new BackOff();
  for (let attempt = 1; ; attempt++) {
    try {
      return await log.append(stream, events, expected);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable) || attempt === ATTEMPTS) throw error;
      await backOff.wait();
    }
  }
}

const asNew = ({ id, type, version, data, metadata }: StoredEvent): NewEvent => ({ id, type, version, data, metadata });
