import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { RecentEvents } from '../../../src/platform/log/recent-events.js';
import { idsOf, newEvent } from '../../support/engines/event-store-events.js';

const EVERYTHING = Number.MAX_SAFE_INTEGER;

class Noted extends RecentEvents {
  readonly gone: StoredEvent[] = [];
  protected override dropped(event: StoredEvent): void {
    this.gone.push(event);
  }
}

/** Positions have gaps, as on EventStoreDB. */
const stored = (index: number): StoredEvent => ({
  ...newEvent(index % 3 === 0 ? 'Rare' : 'Common'),
  stream: index % 2 === 0 ? 'even-1' : 'odd-1',
  revision: index,
  position: 1000 + index * 50,
});
const positionsOf = (events: readonly StoredEvent[]): readonly number[] => events.map(({ position }) => position);

describe('the newest events in memory', () => {
  let recent: Noted;
  beforeEach(() => {
    recent = new Noted({ events: 10, weight: 1000 });
    recent.startAt(900);
  });

  const add = (count: number, weight = 1): StoredEvent[] => {
    const events = Array.from({ length: count }, (_, index) => stored(index));
    for (const event of events) recent.add(event, weight);
    return events;
  };

  it('begin after a position, and cover nothing before it', () => {
    expect([recent.head, recent.floor]).toEqual([900, 900]);
    expect([recent.covers(899), recent.covers(900)]).toEqual([false, true]);
    expect(recent.read(900, 10, undefined)).toEqual({ events: [], position: 900, caughtUp: true });
  });

  it('are at most as many as the limit, without a gap after the floor', () => {
    const events = add(37);
    const kept = recent.read(recent.floor, EVERYTHING, undefined).events;
    expect(kept.length).toBeGreaterThanOrEqual(5);
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(recent.head).toBe(events.at(-1)?.position);
    expect([recent.covers(recent.floor - 1), recent.covers(recent.floor)]).toEqual([false, true]);
    expect(idsOf(kept)).toEqual(idsOf(events.filter(({ position }) => position > recent.floor)));
    expect(idsOf([...recent.gone, ...kept])).toEqual(idsOf(events));
  });

  it.each([
    ['several large ones', 9, 300, 3],
    ['one that is too large alone', 1, 1001, 0],
  ])('weigh at most as much as the limit: %s', (_, count, weight, most) => {
    const events = add(count, weight);
    const kept = recent.read(recent.floor, EVERYTHING, undefined).events;
    expect(kept.length).toBeLessThanOrEqual(most);
    expect(recent.head).toBe(events.at(-1)?.position);
    recent.add(stored(40), 1);
    expect(recent.read(recent.floor, EVERYTHING, undefined).events.length).toBe(kept.length + 1);
  });

  it('are read in pages, and those that a filter lets pass', () => {
    add(8);
    const page = recent.read(1000, 3, undefined);
    expect(positionsOf(page.events)).toEqual([1050, 1100, 1150]);
    expect([page.position, page.caughtUp]).toEqual([1150, false]);
    const rare = recent.read(1000, 3, { types: ['Rare'] });
    expect(positionsOf(rare.events)).toEqual([1150, 1300]);
    expect([rare.position, rare.caughtUp]).toEqual([1350, true]);
    expect(positionsOf(recent.read(900, 9, { types: ['Rare'], streamPrefixes: ['odd-'] }).events)).toEqual([1150]);
    expect(recent.read(5000, 9, undefined)).toEqual({ events: [], position: 5000, caughtUp: true });
  });

  it('are forgotten when they begin anew', () => {
    const events = add(4);
    recent.startAt(2000);
    expect([recent.floor, recent.head, recent.covers(1999)]).toEqual([2000, 2000, false]);
    expect(recent.gone).toEqual(events);
  });
});
