import { DELETED } from './log.js';

export const MAX_APPEND_SIZE = 1024 * 1024;
/** What an id in memory takes besides its stream's name, bytes. */
const ID_SIZE = 28;

/** The ids of the newest events, in RAM and up to a bound: what a restart loses. */
export class IdMemory {
  #revisions = new Map();
  #bytes = 0;
  #bound;

  /** @param {number} bound bytes */
  constructor(bound) {
    this.#bound = bound;
  }

  /** Revision of the event of this id in this stream, as far as it is remembered. */
  revisionOf(stream, id) {
    return this.#revisions.get(key(stream, id));
  }

  add({ stream, id, revision }) {
    const added = key(stream, id);
    if (this.#revisions.delete(added)) this.#bytes -= sizeOf(added);
    this.#revisions.set(added, revision);
    this.#bytes += sizeOf(added);
    for (const oldest of this.#revisions.keys()) {
      if (this.#bytes <= this.#bound) break;
      this.#revisions.delete(oldest);
      this.#bytes -= sizeOf(oldest);
    }
  }

  forget() {
    this.#revisions.clear();
    this.#bytes = 0;
  }
}

/**
 * What becomes of an append.
 *
 * @param {import('./log.js').Log} log
 * @param {IdMemory} memory
 * @param {{ stream: string, expected: 'any' | 'stream_exists' | 'no_stream' | number, events: import('./log.js').Proposed[] }} request
 * @returns {{ kind: 'write' } | { kind: 'repeated', revision: number } | { kind: 'wrong', actual: number }
 *   | { kind: 'deleted' } | { kind: 'too-large' } | { kind: 'never-answered' }}
 */
export function decide(log, memory, { stream, expected, events }) {
  if (events.reduce((sum, event) => sum + appendedSize(event), 0) > MAX_APPEND_SIZE) return { kind: 'too-large' };
  const actual = log.lastRevision(stream);
  if (actual === DELETED) return { kind: 'deleted' };
  const isGone = actual < 0 || log.shown(stream).isSoftDeleted;
  const wrong = { kind: 'wrong', actual: isGone ? -1 : actual };
  if (expected === 'stream_exists' && isGone) return wrong;
  if (events.length === 0) return { kind: 'write' };
  if (expected === 'any' || expected === 'stream_exists') return byMemory(memory, stream, events, wrong);

  const after = expected === 'no_stream' ? -1 : expected;
  if (after > actual) return wrong;
  if (after === actual) return { kind: 'write' };
  // An exact revision is compared with the log itself, so this holds for ever.
  const same = events.filter(({ id }, index) => log.at(stream, after + 1 + index)?.id === id).length;
  if (same === events.length) return { kind: 'repeated', revision: after + events.length };
  return same === 0 && expected === 'no_stream' && isGone ? { kind: 'write' } : wrong;
}

/** The first id decides: unknown, and nobody looks at the others. */
function byMemory(memory, stream, events, wrong) {
  const known = events.map(({ id }) => memory.revisionOf(stream, id));
  const first = known[0];
  const last = known[known.length - 1];
  if (first === undefined) return { kind: 'write' };
  if (known.includes(undefined)) return wrong;
  return first > last ? { kind: 'never-answered' } : { kind: 'repeated', revision: last };
}

const key = (stream, id) => `${id} ${stream}`;
const sizeOf = (added) => ID_SIZE + added.length - 37;
const appendedSize = ({ type, data, metadata }) => 2 * type.length + data.length + metadata.length;
