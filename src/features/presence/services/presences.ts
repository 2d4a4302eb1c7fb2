import { type FactoryProvider, Injectable, Logger } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { BUS, type Bus } from '../../../platform/bus/bus.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../../platform/documents/document-store.js';
import { PreparedJson } from '../../../platform/http/answers/json-in-turns.js';
import { SharedAnswer } from '../../../platform/http/answers/shared-answer.js';
import { DAY_MS } from '../../../platform/kernel/durations.js';
import { statusAt, timestampsOf } from '../domain/presence.js';
import { type BoardEntry, PresenceBoard } from './presence-board.js';

/** The days back that are told to a client that names none. */
const HISTORY_DAYS = 14;

/** Milliseconds that a list may be old, for each entry: one of 10,000 is made and compressed every 10 s, and shared by all. */
const AGE_OF_ENTRY_MS = 1;
/** A list that is made in a fraction of a millisecond is always new. */
const FEW = 200;

export const presenceBoard: FactoryProvider<Promise<PresenceBoard>> = {
  provide: PresenceBoard,
  inject: [DOCUMENT_STORE, BUS],
  useFactory: (store: DocumentStore, bus: Bus) => {
    const log = new Logger('Presence');
    return PresenceBoard.open({
      store,
      bus,
      onFailure: (error) => log.warn(`presence is not passed on: ${String(error)}`),
    });
  },
};

interface Row {
  readonly entry: BoardEntry;
  readonly email: string;
  /** Member of the answer's object. */
  readonly modern: string;
}

interface List {
  readonly madeAt: number;
  readonly lastUpdateId: number;
  /** In the order of their changes. */
  readonly rows: readonly Row[];
  /** Answers that several clients get, by their first row. */
  readonly answers: Map<number, SharedAnswer>;
  legacy: SharedAnswer | null;
}

/**
 * Presences as clients get them. Everybody asks once a minute for everybody: in a large organization, clients that ask
 * within a few seconds share a list, and answers after the same change are written once.
 */
@Injectable()
export class Presences {
  private list: List | null = null;
  private readonly rows = new WeakMap<BoardEntry, Row>();

  constructor(
    private readonly board: PresenceBoard,
    private readonly directory: Directory,
  ) {}

  /** @param after the id of the newest change that the client knows; null: none */
  modern(after: number | null, days: number | null = null): SharedAnswer {
    const list = this.current();
    const known = after ?? -1;
    const last = Math.max(known, list.rows.length > 0 ? list.lastUpdateId : -1);
    if (this.isDisabled()) return this.answer(EMPTY, known);
    if (known <= 0) return this.answer(objectOf(this.recent(list, days).map(modernMember)), last);
    const first = firstAfter(list.rows, known);
    // A client may know more than the list has.
    if (first === list.rows.length) return this.answer(EMPTY, last);
    const shared = list.answers.get(first) ?? this.answer(objectOf(list.rows.slice(first).map(modernMember)), last);
    list.answers.set(first, shared);
    return shared;
  }

  /** The older form, by address. */
  legacy(days: number | null = null): SharedAnswer {
    const list = this.current();
    if (this.isDisabled()) return this.answer(EMPTY, -1);
    const last = list.rows.length > 0 ? list.lastUpdateId : -1;
    if (days !== null) return this.answer(objectOf(this.recent(list, days).map(legacyMember)), last);
    list.legacy ??= this.answer(objectOf(this.recent(list, days).map(legacyMember)), last);
    return list.legacy;
  }

  private answer(presences: PreparedJson, last: number): SharedAnswer {
    const server_timestamp = this.board.now() / 1000;
    return new SharedAnswer({ presences, presence_last_update_id: last, server_timestamp });
  }

  private isDisabled(): boolean {
    return this.directory.setting('presence_disabled');
  }

  private recent({ rows }: List, days: number | null): readonly Row[] {
    const since = this.board.now() - (days ?? HISTORY_DAYS) * DAY_MS;
    return days === 0 ? [] : rows.filter(({ entry }) => entry.connectedAt > since);
  }

  private current(): List {
    const now = this.board.now();
    const { list } = this;
    const length = list?.rows.length ?? 0;
    const mayBeOld = length < FEW ? 0 : length * AGE_OF_ENTRY_MS;
    if (list && now - list.madeAt < mayBeOld) return list;
    const rows: Row[] = [];
    for (const entry of this.board.all()) {
      const user = this.directory.user(entry.userId);
      if (user?.isActive && user.bot === null) rows.push(this.rowOf(entry, user.email));
    }
    this.list = { madeAt: now, lastUpdateId: this.board.lastUpdateId, rows, answers: new Map(), legacy: null };
    return this.list;
  }

  private rowOf(entry: BoardEntry, email: string): Row {
    const known = this.rows.get(entry);
    if (known?.email === email) return known;
    const row = { entry, email, modern: `"${entry.userId}":${JSON.stringify(timestampsOf(entry))}` };
    this.rows.set(entry, row);
    return row;
  }
}

const objectOf = (members: readonly string[]): PreparedJson => new PreparedJson(`{${members.join(',')}}`);

const EMPTY = objectOf([]);

const modernMember = ({ modern }: Row): string => modern;

function legacyMember({ entry, email }: Row): string {
  const aggregated = { client: 'website', ...statusAt(entry) };
  return `${JSON.stringify(email)}:${JSON.stringify({ aggregated, website: { ...aggregated, pushable: false } })}`;
}

/** The index of the first row that changed after the change with this id. */
function firstAfter(rows: readonly Row[], id: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.entry.updateId ?? 0) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
