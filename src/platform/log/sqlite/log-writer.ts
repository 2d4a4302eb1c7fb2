import { LruMap } from '../../kernel/lru-map.js';
import { emptyWriteAheadLog, type SqliteConnection } from '../../sqlite/driver.js';
import type { GroupWriter } from '../../sqlite/writer/serve-writer.js';
import type { AppendRequest, EncodedEvent } from '../encode-append.js';
import { categoryOf } from './schema.js';

/** An append's outcome; revision and position are those of its last event. */
export type AppendOutcome =
  | { readonly kind: 'appended' | 'repeated'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: number | null };

interface StreamState {
  readonly id: number;
  /** Revision of its last event; -1 if it has none. */
  revision: number;
}

const REMEMBERED_STREAMS = 20_000;

/** Decides on and writes one append after the other, in the writer's thread. */
export class LogWriter implements GroupWriter<AppendRequest, AppendOutcome> {
  private readonly streams = new LruMap<string, StreamState>(REMEMBERED_STREAMS);
  private kinds = new Map<string, number>();
  private position: number;

  constructor(
    readonly connection: SqliteConnection,
    private readonly unlock: () => void,
  ) {
    this.position = this.newestPosition();
  }

  apply({ stream: name, expected, events }: AppendRequest): AppendOutcome {
    const stream = this.stream(name);
    const revision = stream?.revision ?? -1;
    const expectedHolds = expected === 'any' || (expected === 'new' ? revision === -1 : revision === expected);

    const [first] = events;
    // The insert itself tells whether the id existed, which saves most appends a look-up.
    if (expectedHolds && events.length === 1 && first) {
      const into = stream ?? this.newStream(name);
      if (this.insert(name, into, first)) return this.appendedTo(into);
    }

    const known = stream ? this.knownRevisions(stream, events) : [];
    if (stream && known.length > 0) {
      const start = known[0] ?? 0;
      const isRepeat = known.length === events.length && known.every((value, index) => value === start + index);
      const last = start + events.length - 1;
      if (isRepeat) return { kind: 'repeated', revision: last, position: this.positionOf(stream, last) };
      return { kind: 'conflict', actual: revision };
    }
    if (!expectedHolds) return { kind: 'conflict', actual: revision === -1 ? null : revision };

    const into = stream ?? this.newStream(name);
    for (const event of events) this.insert(name, into, event);
    return this.appendedTo(into);
  }

  rolledBack(): void {
    this.streams.clear();
    this.kinds = new Map();
    this.position = this.newestPosition();
  }

  close(): void {
    emptyWriteAheadLog(this.connection);
    this.connection.close();
    this.unlock();
  }

  private appendedTo(stream: StreamState): AppendOutcome {
    return { kind: 'appended', revision: stream.revision, position: this.position };
  }

  /** Inserts an event; false if the stream has an event with this id. */
  private insert(name: string, stream: StreamState, event: EncodedEvent): boolean {
    const kind = this.kind(categoryOf(name), event.type);
    const { changes } = this.connection
      .prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (stream, id) DO NOTHING')
      .run(
        this.position + 1,
        stream.id,
        stream.revision + 1,
        event.id,
        kind,
        event.version,
        event.data,
        event.metadata,
      );
    if (changes === 0) return false;
    this.position += 1;
    stream.revision += 1;
    return true;
  }

  /** Finds the revisions of the events that exist, in the given order. */
  private knownRevisions(stream: StreamState, events: readonly EncodedEvent[]): number[] {
    const lookUp = this.connection.prepare('SELECT revision FROM events WHERE stream = ? AND id = ?');
    return events.map((event) => lookUp.get(stream.id, event.id)).flatMap((row) => (row ? [Number(row[0])] : []));
  }

  private positionOf(stream: StreamState, revision: number): number {
    const find = this.connection.prepare('SELECT position FROM events WHERE stream = ? AND revision = ?');
    return Number(find.get(stream.id, revision)?.[0]);
  }

  private stream(name: string): StreamState | undefined {
    const known = this.streams.get(name);
    if (known) return known;
    const row = this.connection
      .prepare('SELECT id, (SELECT max(revision) FROM events WHERE stream = streams.id) FROM streams WHERE name = ?')
      .get(name);
    return row && this.remember(name, { id: Number(row[0]), revision: row[1] === null ? -1 : Number(row[1]) });
  }

  private newStream(name: string): StreamState {
    const { lastInsertRowid } = this.connection.prepare('INSERT INTO streams (name) VALUES (?)').run(name);
    return this.remember(name, { id: Number(lastInsertRowid), revision: -1 });
  }

  private remember(name: string, state: StreamState): StreamState {
    this.streams.set(name, state);
    return state;
  }

  private kind(category: string, type: string): number {
    const key = `${category}\n${type}`;
    let kind = this.kinds.get(key);
    if (kind === undefined) {
      this.connection.prepare('INSERT OR IGNORE INTO kinds (category, type) VALUES (?, ?)').run(category, type);
      const row = this.connection.prepare('SELECT id FROM kinds WHERE category = ? AND type = ?').get(category, type);
      kind = Number(row?.[0]);
      this.kinds.set(key, kind);
    }
    return kind;
  }

  private newestPosition(): number {
    return Number(this.connection.prepare('SELECT max(position) FROM events').get()?.[0] ?? 0);
  }
}
