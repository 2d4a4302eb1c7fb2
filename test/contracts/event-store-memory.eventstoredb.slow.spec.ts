import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeAppend } from '../../src/platform/log/encode-append.js';
import type { NewEvent, StoredEvent } from '../../src/platform/log/event-store.js';
import { AppendLookup } from '../../src/platform/log/eventstoredb/append-lookup.js';
import { RecentLog } from '../../src/platform/log/eventstoredb/recent-log.js';
import { SharedLog } from '../../src/platform/log/eventstoredb/shared-log.js';
import { DEFAULT_TIMINGS } from '../../src/platform/log/eventstoredb/timings.js';
import { idsOf, newEvent, newEvents } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';

const stored = (event: NewEvent, index: number): StoredEvent => ({
  ...event,
  stream: `s-${index % 7}`,
  revision: Math.floor(index / 7),
  position: 1000 + index * 50,
});

describe('the part of the log in memory', () => {
  const events = newEvents('Added', 70_000).map(stored);
  const recent = new RecentLog();
  recent.startAt(900);
  for (const event of events) recent.add(event, 300);

  it('is bounded, in events and in ids', () => {
    const inMemory = recent.read(recent.floor, Number.MAX_SAFE_INTEGER, undefined).events;
    expect(inMemory.length).toBeGreaterThan(5000);
    expect(inMemory.length).toBeLessThanOrEqual(20_000);
    const known = events.filter(({ stream, id }) => recent.find(stream, id));
    expect(known.length).toBeGreaterThan(20_000);
    expect(known.length).toBeLessThanOrEqual(50_000);
    for (const { stream, revision, position } of events)
      if (position <= recent.floor) expect(recent.at(stream, revision)?.event).toBeUndefined();
  });

  it('knows every id after a position', () => {
    const wrong = events.filter(({ stream, id, revision, position }) => {
      const place = recent.find(stream, id);
      return position > recent.idFloor && !(place?.revision === revision && place.position === position);
    });
    expect(wrong).toEqual([]);
  });

  it('is bounded by the size of the events, too', () => {
    const large = new RecentLog();
    for (const [index, event] of newEvents('Added', 100).map(stored).entries()) large.add(event, 900_000 + index);
    let length = 0;
    // A batch has a bound of its own.
    for (let at: number | undefined = large.floor; at !== undefined; ) {
      const { events: batch } = large.read(at, 1000, undefined);
      length += batch.length;
      at = batch.at(-1)?.position;
    }
    expect(length).toBeGreaterThan(10);
    expect(length).toBeLessThan(40);
  });

  it('knows an acknowledged append before the subscription to the tail delivers it', () => {
    const fresh = new RecentLog();
    const [a, b] = newEvents('Added', 2);
    if (!a || !b) throw new Error('two were made');
    fresh.acknowledged('users', [a.id, b.id], 8, 500);
    expect(fresh.find('users', a.id)).toMatchObject({ revision: 7, position: undefined });
    expect(fresh.find('users', b.id)).toMatchObject({ revision: 8, position: 500 });
    expect(fresh.find('other', b.id)).toBeUndefined();
    fresh.add({ ...a, stream: 'users', revision: 7, position: 450 }, 300);
    expect(fresh.find('users', a.id)).toMatchObject({ revision: 7, position: 450 });
  });
});

describe('an event that is not in memory', () => {
  let server: EventStoreDbServer;
  let log: SharedLog;
  beforeAll(async () => {
    server = await EventStoreDbServer.start();
    log = SharedLog.acquire(server.url, 'm-', DEFAULT_TIMINGS);
    await log.start();
  });
  afterAll(async () => {
    await log.release();
    await server.stop();
  });

  it('is looked up in its stream, as far back as a failed append can lie', async () => {
    const append = (events: readonly NewEvent[]) =>
      log.appends.append({ stream: 'users', events: encodeAppend('users', events, 'any'), expected: 'any' });
    const [before, wanted] = [newEvents('Added', 2), newEvents('Added', 3)];
    const since = (await append(before)).position;
    const { revision, position } = await append(wanted);
    await append(newEvents('Added', 20));

    // This memory begins at the head.
    const forgetful = new RecentLog();
    forgetful.startAt(await log.head.read());
    const lookup = new AppendLookup(log.reads, log.tail, log.head, forgetful, 'm-');
    const asked = (events: readonly NewEvent[]) =>
      ({ stream: 'users', events: encodeAppend('users', events, 'any'), expected: 'any' }) as const;

    const found = await lookup.stored(asked(wanted), since);
    expect(idsOf(found)).toEqual(idsOf(wanted));
    expect(await lookup.result(asked(wanted), found, null)).toEqual({ revision, position, isRepeat: null });
    expect(await lookup.stored(asked([newEvent('Added')]), since)).toEqual([]);
    expect(await lookup.stored(asked(wanted), await log.head.read())).toEqual([]);
    const elsewhere = { ...asked(wanted), stream: 'nobody' };
    expect(await lookup.stored(elsewhere, since)).toEqual([]);
    expect(await lookup.lastRevision('users')).toBe(24);
    expect(await lookup.lastRevision('nobody')).toBeNull();
  });
});
