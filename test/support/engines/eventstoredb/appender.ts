import { randomUUID } from 'node:crypto';
import { type AppendRequest, decide, type IdMemory } from './append-rules.js';
import { DELETED, type Log, type Proposed, type StoredRecord } from './log.js';

/** Time that appends wait for others to share their write to disk, milliseconds. */
const COMMIT_DELAY = 1;
/** Turns of the event loop that appends wait after that, while each turn brings another append. */
const COMMIT_TURNS = 8;
/** Time after which an append of ids that are just being written is given up, milliseconds. */
const NOT_READY_TIMEOUT = 2500;

export type Outcome =
  | { readonly kind: 'success'; readonly revision: number; readonly position?: number }
  | { readonly kind: 'wrong'; readonly actual: number }
  | { readonly kind: 'deleted' | 'too-large' | 'timeout' | 'denied' };

interface Removal extends Pick<AppendRequest, 'stream' | 'expected'> {
  readonly isForEver: boolean;
}

interface Done {
  readonly outcome: Outcome | { readonly kind: 'never-answered' };
  readonly written?: readonly StoredRecord[];
}

interface Waiting {
  readonly work: () => Done;
  readonly answer: (outcome: Outcome) => void;
}

interface AppenderOptions {
  readonly systemEventEvery: number;
  /** Called with the records of each append. */
  readonly committed: (records: readonly StoredRecord[]) => void;
}

/** Takes appends in their order, writes the waiting ones in one transaction, then answers each. */
export class Appender {
  readonly #log: Log;
  readonly #memory: IdMemory;
  readonly #systemEventEvery: number;
  readonly #committed: AppenderOptions['committed'];
  #waiting: Waiting[] = [];
  #sinceSystemEvent = 0;

  constructor(log: Log, memory: IdMemory, { systemEventEvery, committed }: AppenderOptions) {
    this.#log = log;
    this.#memory = memory;
    this.#systemEventEvery = systemEventEvery;
    this.#committed = committed;
    // A server writes its own events before those of clients.
    log.transaction(() => {
      if (log.isEmpty) for (const stream of ['$users', '$stats-2113']) writeMetadata(log, stream, {});
      writeStatistics(log);
    });
  }

  append(request: AppendRequest): Promise<Outcome> {
    return this.#commit(() => this.#append(request));
  }

  /** Deletes a stream, for ever or until the next append to it. */
  remove({ stream, expected, isForEver }: Removal): Promise<Outcome> {
    const log = this.#log;
    return this.#commit(() => {
      const actual = log.lastRevision(stream);
      if (actual === DELETED) return { outcome: { kind: 'deleted' } };
      const asked = expected === 'no_stream' ? -1 : expected;
      if (typeof asked === 'number' && actual !== asked) return { outcome: { kind: 'wrong', actual } };
      const written = isForEver
        ? log.write(stream, [system('$streamDeleted', {})], DELETED)
        : writeMetadata(log, stream, { $tb: 2 ** 63 });
      return { outcome: success(written[0]), written };
    });
  }

  #commit(work: () => Done): Promise<Outcome> {
    return new Promise((answer) => {
      this.#waiting.push({ work, answer });
      if (this.#waiting.length === 1) setTimeout(() => this.#flushOnceQuiet(0, COMMIT_TURNS), COMMIT_DELAY);
    });
  }

  #flushOnceQuiet(count: number, turns: number): void {
    const now = this.#waiting.length;
    if (now === count || turns === 0) this.#flush();
    else setImmediate(() => this.#flushOnceQuiet(now, turns - 1));
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const start = this.#log.end;
    const done = this.#log.transaction(() => waiting.map(({ work, answer }) => ({ answer, ...work() })));
    for (const { answer, outcome, written = [] } of done) {
      // The append repeats ids of another one that was not on disk yet.
      const isNotReady = written.length === 0 && outcome.kind === 'success' && (outcome.position ?? -1) >= start;
      if (isNotReady) setTimeout(answer, NOT_READY_TIMEOUT, { kind: 'timeout' });
      else if (outcome.kind !== 'never-answered') answer(outcome);
      if (written.length > 0) this.#committed(written);
    }
  }

  #append(request: AppendRequest): Done {
    const log = this.#log;
    const { stream, events } = request;
    const decided = decide(log, this.#memory, request);
    if (decided.kind === 'repeated') {
      return { outcome: success(log.at(stream, decided.revision)) };
    }
    if (decided.kind !== 'write') return { outcome: decided };
    const before = log.lastRevision(stream);
    if (events.length === 0) return { outcome: { kind: 'success', revision: before } };

    const isRevived = log.shown(stream).isSoftDeleted;
    const written = log.write(stream, events);
    const outcome = success(written.at(-1));
    for (const record of written) this.#memory.add(record);
    if (isRevived) written.push(...writeMetadata(log, stream, { $tb: before + 1 }));
    this.#sinceSystemEvent += events.length;
    if (this.#sinceSystemEvent >= this.#systemEventEvery) {
      this.#sinceSystemEvent = 0;
      written.push(...writeStatistics(log));
    }
    return { outcome, written };
  }
}

function success(record: StoredRecord | undefined): Outcome {
  if (!record) throw new Error('there is no such record');
  return { kind: 'success', revision: record.revision, position: record.position };
}
const writeMetadata = (log: Log, stream: string, metadata: object) =>
  log.write(`$$${stream}`, [system('$metadata', metadata)]);
const writeStatistics = (log: Log) =>
  log.write('$stats-2113', [system('$statsCollected', { uptime: process.uptime() })]);

const system = (type: string, data: object): Proposed => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.alloc(0),
});
