import { DELETED, type Log, type Proposed, type StoredRecord } from './log.js';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: 'any' | 'stream_exists' | 'no_stream' | number;
  readonly events: readonly Proposed[];
}

/** The stream is not at the expected revision. */
export interface Wrong {
  readonly kind: 'wrong';
  readonly actual: number;
}

export type Decision =
  | { readonly kind: 'write' }
  | { readonly kind: 'deleted' | 'too-large' | 'never-answered' }
  | { readonly kind: 'repeated'; readonly revision: number }
  | Wrong;

export const MAX_APPEND_SIZE = 1024 * 1024;
/** Memory of an id besides its stream's name, bytes. */
const ID_SIZE = 28;

/** Ids of the newest events, in memory and up to a bound. A restart loses them. */
export class IdMemory {
  readonly #revisions = new Map<string, number>();
  #bytes = 0;
  readonly #bound: number;

  /** @param bound bytes */
  constructor(bound: number) {
    this.#bound = bound;
  }

  /** Revision of the event with this id in this stream; undefined if the id is not remembered. */
  revisionOf(stream: string, id: string): number | undefined {
    return this.#revisions.get(key(stream, id));
  }

  add({ stream, id, revision }: StoredRecord): void {
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

  forget(): void {
    this.#revisions.clear();
    this.#bytes = 0;
  }
}

/** Decides an append as EventStoreDB does. */
export function decide(log: Log, memory: IdMemory, { stream, expected, events }: AppendRequest): Decision {
  if (events.reduce((sum, event) => sum + appendedSize(event), 0) > MAX_APPEND_SIZE) return { kind: 'too-large' };
  const actual = log.lastRevision(stream);
  if (actual === DELETED) return { kind: 'deleted' };
  const isGone = actual < 0 || log.shown(stream).isSoftDeleted;
  const wrong: Wrong = { kind: 'wrong', actual: isGone ? -1 : actual };
  if (expected === 'stream_exists' && isGone) return wrong;
  if (events.length === 0) return { kind: 'write' };
  if (expected === 'any' || expected === 'stream_exists') return byMemory(memory, stream, events, wrong);

  const after = expected === 'no_stream' ? -1 : expected;
  if (after > actual) return wrong;
  if (after === actual) return { kind: 'write' };
  // An exact revision is compared with the log itself, so repeats are found for ever.
  const same = events.filter(({ id }, index) => log.at(stream, after + 1 + index)?.id === id).length;
  if (same === events.length) return { kind: 'repeated', revision: after + events.length };
  return same === 0 && expected === 'no_stream' && isGone ? { kind: 'write' } : wrong;
}

/** Decides by remembered ids. If the first id is unknown, the others are not looked at. */
function byMemory(memory: IdMemory, stream: string, events: readonly Proposed[], wrong: Wrong): Decision {
  const known = events.map(({ id }) => memory.revisionOf(stream, id));
  const first = known[0];
  const last = known[known.length - 1];
  if (first === undefined) return { kind: 'write' };
  if (last === undefined || known.includes(undefined)) return wrong;
  return first > last ? { kind: 'never-answered' } : { kind: 'repeated', revision: last };
}

const key = (stream: string, id: string): string => `${id} ${stream}`;
const sizeOf = (added: string): number => ID_SIZE + added.length - 37;
const appendedSize = ({ type, data, metadata }: Proposed): number => 2 * type.length + data.length + metadata.length;
