import { addressBlock } from '../../../platform/http/address-block.js';
import { HOUR_MS, MINUTE_MS } from '../../../platform/kernel/durations.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';

/** Pairs of a key and an address. */
const MOST_KNOWN = 100_000;
const MOST_ACCOUNTS = 10_000;

/** New addresses of an account's keys that are told in an hour. */
const MOST_AN_HOUR = 20;

/** The network that a key is used from, as it is told apart from others. */
export const networkOfKey = (keyHash: string, address: string): string => `${keyHash} ${addressBlock(address)}`;

/** Until when it is known, milliseconds since 1970. */
interface KnownAddress {
  readonly address: string;
  readonly until: number;
}

/** The addresses that keys were used from, as far as this process remembers them. */
export class KnownAddresses {
  /** Until when it is known, milliseconds since 1970; by `placeOf`. */
  private readonly until = new LruMap<string, number>(MOST_KNOWN);
  private readonly begun = new LruMap<string, true>(MOST_KNOWN);
  /** The address that each key was last used from, as the request told it: nearly each request comes from there again. */
  private readonly last = new LruMap<string, KnownAddress>(MOST_KNOWN);

  isKnown(keyHash: string, address: string, now: number): boolean {
    const last = this.last.peek(keyHash);
    if (last?.address === address && now < last.until) return true;
    const until = this.until.get(networkOfKey(keyHash, address));
    if (until === undefined || now >= until) return false;
    this.last.set(keyHash, { address, until });
    return true;
  }

  /** Whether an address of the key is known, or was. */
  hasBegun(keyHash: string): boolean {
    return this.begun.has(keyHash);
  }

  add(keyHash: string, address: string, until: number): void {
    this.until.set(networkOfKey(keyHash, address), until);
    this.begun.set(keyHash, true);
  }

  /** Keeps an address of which nothing is recorded from being asked about until then. */
  passOver(keyHash: string, address: string, until: number): void {
    this.until.set(networkOfKey(keyHash, address), until);
  }
}

/** Counts what is limited for a span of time, which begins with the first of it. */
class CountInSpan {
  private since = 0;
  private count = 0;

  /** @param span milliseconds */
  constructor(
    private readonly most: number,
    private readonly span: number,
  ) {}

  isFull(now: number): boolean {
    return this.isWithin(now) && this.count >= this.most;
  }

  add(now: number): void {
    if (!this.isWithin(now)) [this.since, this.count] = [now, 0];
    this.count += 1;
  }

  /** A clock that was put back ends the span, too. */
  private isWithin(now: number): boolean {
    return now >= this.since && now - this.since < this.span;
  }
}

/** New addresses of all keys that are told in a minute: after an upgrade all are new, and logins need room in the log. */
export const MOST_A_MINUTE = 200;

export const toldInMinute = (): CountInSpan => new CountInSpan(MOST_A_MINUTE, MINUTE_MS);

/** How many new addresses of each account were told in this hour. */
export class ToldInHour {
  private readonly counts = new LruMap<number, CountInSpan>(MOST_ACCOUNTS);

  isFull(userId: number, now: number): boolean {
    return this.counts.get(userId)?.isFull(now) ?? false;
  }

  add(userId: number, now: number): void {
    const count = this.counts.get(userId) ?? new CountInSpan(MOST_AN_HOUR, HOUR_MS);
    count.add(now);
    this.counts.set(userId, count);
  }
}
