import type { AccessEvent, Times } from '../../../events/accesses/accesses.events.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { MINUTE_MS } from '../../../platform/kernel/durations.js';
import type { Access, Occasion } from './access.js';
import { AccessCounts, type CountedAccess, countedOf } from './more-accesses.js';
import { MOST_COUNTED_SOURCES, type Share, sharesOf } from './rooms.js';

export interface GatheredAccess {
  readonly event: AccessEvent;
  readonly by: CommandContext;
}

interface Entry {
  /** A tally counts different accesses, which get no events of their own. */
  readonly what: Access | AccessCounts;
  readonly by: CommandContext;
  readonly shares: readonly Share[];
  /** Milliseconds since 1970: a minute later, repeats are written. */
  since: number;
  isWritten: boolean;
  count: number;
  firstAt: number;
  lastAt: number;
}

type Begun = Pick<Entry, 'what' | 'by' | 'shares' | 'since'>;

/**
 * Accesses that are not in the log yet. The first of its kind is due at once; repeats within a minute are due together at
 * its end. So a flood of requests is a bounded number of events a minute, and is remembered in bounded memory. An access
 * that has no room (`rooms.ts`) is counted by its account and kind.
 */
export class GatheredAccesses {
  private readonly entries = new Map<string, Entry>();
  private readonly used = new Map<string, number>();

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** @returns false if there is no room for it, so that it is only counted */
  add(access: Access, by: CommandContext, occasion: Occasion): boolean {
    const key = keyOf(access, by, occasion);
    const shares = sharesOf(access, by.actorId, occasion.source);
    const entry = this.entries.get(key) ?? this.enter(key, { what: access, by, shares, since: occasion.at });
    if (entry) repeat(entry, occasion.at);
    else this.addMore(countedOf(access, by.actorId), by, occasion);
    return entry !== null;
  }

  /** Counts an access that gets no event of its own. */
  addMore(counted: CountedAccess, by: CommandContext, { source, at }: Occasion): void {
    const { of } = counted;
    const entry = this.tally(of, source, { by, since: at }) ?? this.tallyOfAll(of, { by, since: at });
    if (entry.what instanceof AccessCounts) entry.what.add(counted);
    repeat(entry, at);
  }

  /**
   * Takes the accesses that are due.
   * @param now milliseconds since 1970
   * @param options.all whether repeats need not wait for the end of their minute
   */
  take(now: number, { all = false }: { readonly all?: boolean } = {}): GatheredAccess[] {
    const due: GatheredAccess[] = [];
    for (const [key, entry] of this.entries) {
      const isOver = now < entry.since || now - entry.since >= MINUTE_MS;
      if (entry.count === 0) {
        if (isOver) this.drop(key, entry);
      } else if (all || isOver || !entry.isWritten) {
        due.push({ event: eventOf(entry), by: entry.by });
        entry.isWritten = true;
        entry.count = 0;
        if (isOver) entry.since = now;
      }
    }
    return due;
  }

  private tally(of: Access['type'], source: string, begun: Pick<Entry, 'by' | 'since'>): Entry | null {
    const key = JSON.stringify(['more', of, source]);
    const shares = [{ name: `more ${of}`, most: MOST_COUNTED_SOURCES }];
    return this.entries.get(key) ?? this.enter(key, { what: new AccessCounts(of), shares, ...begun });
  }

  /** The one for all sources that have no room. */
  private tallyOfAll(of: Access['type'], { by, since }: Pick<Entry, 'by' | 'since'>): Entry {
    const key = JSON.stringify(['more', of]);
    const { client, correlationId } = by;
    const begun = { by: { actorId: null, client, correlationId }, since };
    return this.entries.get(key) ?? this.put(key, { what: new AccessCounts(of), shares: [], ...begun });
  }

  /** @returns null if there is no room */
  private enter(key: string, begun: Begun): Entry | null {
    const isFull = begun.shares.some(({ name, most }) => (this.used.get(name) ?? 0) >= most);
    return isFull ? null : this.put(key, begun);
  }

  private put(key: string, begun: Begun): Entry {
    const entry: Entry = { ...begun, isWritten: false, count: 0, firstAt: 0, lastAt: 0 };
    this.entries.set(key, entry);
    for (const { name } of entry.shares) this.used.set(name, (this.used.get(name) ?? 0) + 1);
    return entry;
  }

  private drop(key: string, { shares }: Entry): void {
    this.entries.delete(key);
    for (const { name } of shares) {
      const others = (this.used.get(name) ?? 0) - 1;
      if (others > 0) this.used.set(name, others);
      else this.used.delete(name);
    }
  }
}

function repeat(entry: Entry, at: number): void {
  if (entry.count === 0) entry.firstAt = at;
  entry.count++;
  entry.lastAt = at;
}

/**
 * A client program may name itself anew with each request, a guesser may spell an account in many ways, and a network has
 * many addresses: none is part of the key.
 */
function keyOf({ type, data }: Access, { actorId }: CommandContext, { network }: Occasion): string {
  const what = type === 'LoginFailed' && data.userId !== null ? { ...data, words: null } : data;
  return JSON.stringify([type, what, actorId, network]);
}

function eventOf({ what, count, firstAt, lastAt }: Entry): AccessEvent {
  const times: Times = { count, firstAt, lastAt };
  if (what instanceof AccessCounts) return { type: 'MoreAccesses', data: { ...what.take(), ...times } };
  switch (what.type) {
    case 'LoggedIn':
      return { type: what.type, data: { ...what.data, ...times } };
    case 'LoginFailed':
      return { type: what.type, data: { ...what.data, ...times } };
    case 'AuditRead':
      return { type: what.type, data: { ...what.data, ...times } };
    case 'ActRefused':
      return { type: what.type, data: { ...what.data, ...times } };
    case 'KeyUsedElsewhere':
      return { type: what.type, data: { ...what.data, ...times } };
  }
}
