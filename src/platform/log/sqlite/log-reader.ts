import type { Position } from '../../kernel/position.js';
import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import { MAX_DATA_BYTES } from '../encode-append.js';
import {
  BATCH_BYTES,
  type Batch,
  type EventFilter,
  type EventText,
  type Misfiled,
  type PositionRange,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
  type StoredMetadata,
} from '../event-store.js';
import { categoryOf } from './schema.js';
import {
  COLUMNS,
  EVERYTHING,
  MOST_MERGED_KINDS,
  merging,
  rowsOf,
  SEARCHED_AT_ONCE,
  type Selection,
  searching,
  whereLargerThan,
} from './selections.js';
import { damagedEvent, misfiledIn, parsedObject, textsAfter } from './stored-row.js';

interface Kind {
  readonly id: number;
  readonly category: string;
  readonly type: string;
}

/** Reads the log on a connection of its own, each call from one snapshot. */
export class LogReader {
  private kinds = new Map<number, Kind>();
  private newestKind = 0;

  constructor(private readonly connection: SqliteConnection) {}

  head(): Position {
    return Number(this.connection.prepare('SELECT max(position) FROM events').get()?.[0] ?? 0);
  }

  readStream(stream: string, { from, direction = 'forwards', limit = -1 }: ReadStreamOptions): StoredEvent[] {
    const forwards = direction === 'forwards';
    const rows = this.connection
      .prepare(
        `SELECT ${COLUMNS} FROM streams s JOIN events e ON e.stream = s.id
         WHERE s.name = ? AND e.revision ${forwards ? '>=' : '<='} ?
         ORDER BY e.revision ${forwards ? 'ASC' : 'DESC'} LIMIT ?`,
      )
      .all(stream, from ?? (forwards ? 0 : Number.MAX_SAFE_INTEGER), limit);
    return rows.map((row) => this.decode(row));
  }

  readAll({ after, limit, filter }: ReadAllOptions): Batch {
    const head = this.refresh();
    const select = filter ? this.filtered(filter) : EVERYTHING;
    if (select === null) return { events: [], position: Math.max(after, head), caughtUp: true };
    const until = select.searches ? Math.min(head, after + SEARCHED_AT_ONCE) : head;
    const bounds = { after, until, limit };
    const mayBeCut = limit * MAX_DATA_BYTES > BATCH_BYTES;
    const cut = mayBeCut ? whereLargerThan(this.connection, select, bounds, BATCH_BYTES) : undefined;
    const rows = rowsOf(this.connection, select, { after, until: cut ?? until, limit });
    const events = rows.map((row) => this.decode(row));
    const isFull = cut !== undefined || rows.length === limit;
    const position = isFull ? (events.at(-1)?.position ?? after) : Math.max(after, until);
    return { events, position, caughtUp: position >= head };
  }

  readAt(positions: readonly Position[]): StoredEvent[] {
    const rows = this.connection
      .prepare(
        `SELECT ${COLUMNS} FROM json_each(?) w CROSS JOIN events e ON e.position = w.value
         CROSS JOIN streams s ON s.id = e.stream`,
      )
      .all(JSON.stringify(positions));
    return rows.map((row) => this.decode(row));
  }

  readTexts({ after, limit }: Pick<ReadAllOptions, 'after' | 'limit'>): EventText[] {
    return textsAfter(this.connection, after, limit);
  }

  misfiled({ after, until }: PositionRange): Misfiled | null {
    return misfiledIn(this.connection, after, until);
  }

  newestOfEachType(): Position[] {
    return this.connection
      .prepare('SELECT (SELECT max(position) FROM events INDEXED BY events_by_kind WHERE kind = k.id) FROM kinds k')
      .all()
      .flatMap(([position]) => (position === null ? [] : Number(position)));
  }

  close(): void {
    this.connection.close();
  }

  /**
   * Reads the head, and every kind that events up to it can have. A call ignores later events: they may be of a kind
   * that is not known yet.
   */
  private refresh(): Position {
    const [head, newestKind] =
      this.connection.prepare('SELECT (SELECT max(position) FROM events), (SELECT max(id) FROM kinds)').get() ?? [];
    if (Number(newestKind ?? 0) > this.newestKind) this.loadKinds();
    return Number(head ?? 0);
  }

  private loadKinds(): void {
    for (const [id, category, type] of this.connection
      .prepare('SELECT id, category, type FROM kinds WHERE id > ? ORDER BY id')
      .all(this.newestKind)) {
      this.newestKind = Number(id);
      this.kinds.set(this.newestKind, { id: this.newestKind, category: String(category), type: String(type) });
    }
  }

  /** The way to find a filter's events; null if there can be none. */
  private filtered({ streamPrefixes, types }: EventFilter): Selection | null {
    const fits = ({ category, type }: Kind) =>
      (!types || types.includes(type)) &&
      (!streamPrefixes || streamPrefixes.some((prefix) => mayHold(category, prefix)));
    const kinds = [...this.kinds.values()].filter(fits).map(({ id }) => id);
    const finer = streamPrefixes?.some((prefix) => !isWholeCategory(prefix)) ?? false;
    if (kinds.length === 0) return null;
    return finer || kinds.length > MOST_MERGED_KINDS ? searching(kinds, streamPrefixes) : merging(kinds);
  }

  private decode(row: Row): StoredEvent {
    const [position, stream, revision, id, kind, version, data, metadata] = row;
    try {
      return {
        id: id as string,
        stream: stream as string,
        revision: revision as number,
        position: position as number,
        type: this.typeOf(kind as number),
        version: version as number,
        data: parsedObject('data', data),
        metadata: parsedObject('metadata', metadata) as unknown as StoredMetadata,
      };
    } catch (error) {
      return damagedEvent(row, this.kinds.get(kind as number)?.type, error);
    }
  }

  private typeOf(kind: number): string {
    if (!this.kinds.has(kind)) this.loadKinds();
    const known = this.kinds.get(kind);
    if (!known) throw new Error(`it is of kind ${kind}, which the log does not name`);
    return known.type;
  }
}

/** Tells whether the prefix covers whole categories of streams. */
function isWholeCategory(prefix: string): boolean {
  const dash = prefix.indexOf('-');
  return dash === -1 || dash === prefix.length - 1;
}

/** Tells whether a stream of this category can have this prefix. */
function mayHold(category: string, prefix: string): boolean {
  return prefix.includes('-') ? category === categoryOf(prefix) : category.startsWith(prefix);
}
