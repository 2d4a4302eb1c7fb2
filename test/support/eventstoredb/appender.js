import { randomUUID } from 'node:crypto';
import { decide } from './append-rules.js';
import { DELETED } from './log.js';

/** Appends wait this long for others to share their write to disk, milliseconds. */
const COMMIT_DELAY = 1;
/** And for so many turns of the event loop at most, while each brings another one. */
const COMMIT_TURNS = 8;
/** An append of ids that are just being written is given up after this, milliseconds. */
const NOT_READY_TIMEOUT = 2500;

/**
 * Takes appends in their order, writes those that wait in one transaction, then answers each.
 *
 * @typedef {{ kind: 'success', revision: number, position?: number } | { kind: 'wrong', actual: number }
 *   | { kind: 'deleted' } | { kind: 'too-large' } | { kind: 'timeout' } | { kind: 'denied' }} Outcome
 */
export class Appender {
  #log;
  #memory;
  #systemEventEvery;
  #committed;
  #waiting = [];
  #sinceSystemEvent = 0;

  /**
   * @param {import('./log.js').Log} log
   * @param {import('./append-rules.js').IdMemory} memory
   * @param {{ systemEventEvery: number, committed: (records: import('./log.js').StoredRecord[]) => void }} options
   *   `committed` is told of each append's records apart
   */
  constructor(log, memory, { systemEventEvery, committed }) {
    this.#log = log;
    this.#memory = memory;
    this.#systemEventEvery = systemEventEvery;
    this.#committed = committed;
    // A server writes of itself before anybody else can.
    log.transaction(() => {
      if (log.isEmpty) for (const stream of ['$users', '$stats-2113']) writeMetadata(log, stream, {});
      writeStatistics(log);
    });
  }

  /** @returns {Promise<Outcome>} */
  append(request) {
    return this.#commit(() => this.#append(request));
  }

  /** Ends a stream, for ever or until somebody writes to it. @returns {Promise<Outcome>} */
  remove({ stream, expected, isForEver }) {
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

  #commit(work) {
    return new Promise((answer) => {
      this.#waiting.push({ work, answer });
      if (this.#waiting.length === 1) setTimeout(() => this.#flushOnceQuiet(0, COMMIT_TURNS), COMMIT_DELAY);
    });
  }

  #flushOnceQuiet(count, turns) {
    const now = this.#waiting.length;
    if (now === count || turns === 0) this.#flush();
    else setImmediate(() => this.#flushOnceQuiet(now, turns - 1));
  }

  #flush() {
    const waiting = this.#waiting;
    this.#waiting = [];
    const start = this.#log.end;
    const done = this.#log.transaction(() => waiting.map(({ work, answer }) => ({ answer, ...work() })));
    for (const { answer, outcome, written = [] } of done) {
      // Its ids are those of an append that was not on disk yet when this one came.
      const isNotReady = written.length === 0 && outcome.position >= start;
      if (isNotReady) setTimeout(answer, NOT_READY_TIMEOUT, { kind: 'timeout' });
      else if (outcome.kind !== 'never-answered') answer(outcome);
      if (written.length > 0) this.#committed(written);
    }
  }

  #append(request) {
    const log = this.#log;
    const { stream, events } = request;
    const decided = decide(log, this.#memory, request);
    if (decided.kind === 'repeated') return { outcome: success(log.at(stream, decided.revision)) };
    if (decided.kind !== 'write') return { outcome: decided };
    const before = log.lastRevision(stream);
    if (events.length === 0) return { outcome: { kind: 'success', revision: before } };

    const isRevived = log.shown(stream).isSoftDeleted;
    const written = log.write(stream, events);
    const outcome = success(written[written.length - 1]);
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

const success = ({ revision, position }) => ({ kind: 'success', revision, position });
const writeMetadata = (log, stream, metadata) => log.write(`$$${stream}`, [system('$metadata', metadata)]);
const writeStatistics = (log) => log.write('$stats-2113', [system('$statsCollected', { uptime: process.uptime() })]);

const system = (type, data) => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.alloc(0),
});
