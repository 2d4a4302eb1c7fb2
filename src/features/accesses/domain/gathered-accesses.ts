import type { AccessEvent, Times } from '../../../events/accesses/accesses.events.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';

/** What has happened, without how often. */
export type Access<E extends AccessEvent = AccessEvent> = E extends AccessEvent
  ? { readonly type: E['type']; readonly data: Omit<E['data'], keyof Times> }
  : never;

export interface GatheredAccess {
  readonly event: AccessEvent;
  readonly by: CommandContext;
}

interface Entry {
  readonly access: Access;
  readonly by: CommandContext;
  readonly source: string;
  /** Milliseconds since 1970: a minute later, repeats are written. */
  since: number;
  isWritten: boolean;
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface Occasion {
  /** Whose accesses are limited together. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const MINUTE_MS = 60_000;

export interface GatheringLimits {
  /** The most different accesses a minute. */
  readonly most: number;
  /** The most of them from one source. */
  readonly mostEach: number;
}

export const GATHERING_LIMITS: GatheringLimits = { most: 500, mostEach: 20 };

/**
 * Accesses that are not in the log yet. The first of its kind is due at once; repeats within a minute are due together at its
 * end. So a flood of requests is a few events a minute, and is remembered in bounded memory: what exceeds the limits is only
 * counted.
 */
export class GatheredAccesses {
  private readonly entries = new Map<string, Entry>();
  private readonly entriesOf = new Map<string, number>();

  constructor(private readonly limits: GatheringLimits = GATHERING_LIMITS) {}

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** @returns false if it exceeds the limits, and is only counted */
  add(access: Access, by: CommandContext, { source, at }: Occasion): boolean {
    if (this.addWithin(access, by, { source, at })) return true;
    this.addMore(access.type, by, { source, at });
    return false;
  }

  /** Counts an access that gets no event of its own. */
  addMore(of: Access['type'], by: CommandContext, { source, at }: Occasion): void {
    const more: Access = { type: 'MoreAccesses', data: { of } };
    // The source may have used up its entries, so this one is not counted among them.
    if (this.addWithin(more, by, { source: `more of ${source}`, at })) return;
    const { client, correlationId } = by;
    this.count(more, { actorId: null, client, correlationId }, { source: 'all', at });
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

  /** @returns false if it would exceed the limits */
  private addWithin(access: Access, by: CommandContext, occasion: Occasion): boolean {
    const { most, mostEach } = this.limits;
    const isFull = this.entries.size >= most || (this.entriesOf.get(occasion.source) ?? 0) >= mostEach;
    if (isFull && !this.entries.has(keyOf(access, by))) return false;
    this.count(access, by, occasion);
    return true;
  }

  private count(access: Access, by: CommandContext, { source, at }: Occasion): void {
    const key = keyOf(access, by);
    const known = this.entries.get(key);
    if (known) {
      if (known.count === 0) known.firstAt = at;
      known.count++;
      known.lastAt = at;
      return;
    }
    this.entries.set(key, { access, by, source, since: at, isWritten: false, count: 1, firstAt: at, lastAt: at });
    this.entriesOf.set(source, (this.entriesOf.get(source) ?? 0) + 1);
  }

  private drop(key: string, { source }: Entry): void {
    this.entries.delete(key);
    const others = (this.entriesOf.get(source) ?? 0) - 1;
    if (others > 0) this.entriesOf.set(source, others);
    else this.entriesOf.delete(source);
  }
}

/** A client program may name itself anew with each request, so it is no part of the key. */
const keyOf = ({ type, data }: Access, { actorId, address }: CommandContext): string =>
  JSON.stringify([type, data, actorId, address]);

function eventOf({ access, count, firstAt, lastAt }: Entry): AccessEvent {
  const times: Times = { count, firstAt, lastAt };
  switch (access.type) {
    case 'LoggedIn':
      return { type: access.type, data: { ...access.data, ...times } };
    case 'LoginFailed':
      return { type: access.type, data: { ...access.data, ...times } };
    case 'AuditRead':
      return { type: access.type, data: { ...access.data, ...times } };
    case 'ActRefused':
      return { type: access.type, data: { ...access.data, ...times } };
    case 'KeyUsedElsewhere':
      return { type: access.type, data: { ...access.data, ...times } };
    case 'MoreAccesses':
      return { type: access.type, data: { ...access.data, ...times } };
  }
}
