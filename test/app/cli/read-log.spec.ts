import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newestEvents } from '../../../src/app/cli/log-cursor.js';
import { Actors } from '../../../src/app/cli/log-entry.js';
import { type LogQuery, readLog } from '../../../src/app/cli/read-log.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { USERS_STREAM, type UserEvent } from '../../../src/events/users/users.events.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import type { DomainEvent, Recorded } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { type StoredEvent, UnreadableEvent } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';

const codec = new EventCodec({ getMany: async () => new Map() }, eventRegistry);
const MINUTE = 60_000;

const created = (userId: number, email: string): UserEvent => ({
  type: 'UserCreated',
  data: { userId, email, fullName: `User ${userId}`, role: ROLES.member, passwordHash: null, channelIds: [] },
});
const deactivated = (userId: number): UserEvent => ({ type: 'UserDeactivated', data: { userId, notice: null } });
const queueDeleted: DomainEvent = { type: 'QueueDeleted', data: { queueId: 'q' } };

const toldOf = (event: Recorded | UnreadableEvent): string =>
  event instanceof UnreadableEvent ? event.message : `${event.metadata.at / MINUTE} ${event.type}`;

describe('reading the log', () => {
  let folder: string;
  let writer: SqliteEventStore;
  let log: SqliteEventStore;

  const append = (stream: string, event: DomainEvent, actorId: number | null, at: number) => {
    const metadata = { actorId, client: 'test', at, correlationId: 'c', causationId: null };
    return writer.append(stream, [codec.encode(event, randomUUID(), metadata)], 'any');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-log-'));
    writer = await SqliteEventStore.open(folder);
    await append(USERS_STREAM, created(1, 'ann@example.com'), null, MINUTE);
    await append(USERS_STREAM, created(2, 'Bob@example.com'), 1, 2 * MINUTE);
    await append('eventQueues', queueDeleted, 2, 3 * MINUTE);
    await append(USERS_STREAM, deactivated(2), 1, 4 * MINUTE);
    log = await SqliteEventStore.openReadOnly(folder);
  });

  afterAll(async () => {
    await log.close();
    await writer.close();
    await rm(folder, { recursive: true });
  });

  const read = async (query: Partial<LogQuery>, reading = codec): Promise<string[]> => {
    const found: string[] = [];
    const signal = new AbortController().signal;
    for await (const event of readLog(log, reading, { filter: {}, follow: false, signal, ...query })) {
      found.push(toldOf(event));
    }
    return found;
  };

  it('gives all events in order', async () => {
    expect(await read({})).toEqual(['1 UserCreated', '2 UserCreated', '3 QueueDeleted', '4 UserDeactivated']);
  });

  it.each([
    ['a stream', { filter: { streamPrefixes: ['eventQ'] } }, ['3 QueueDeleted']],
    ['types', { filter: { types: ['UserDeactivated', 'QueueDeleted'] } }, ['3 QueueDeleted', '4 UserDeactivated']],
    ['an actor', { actorIds: new Set([1]) }, ['2 UserCreated', '4 UserDeactivated']],
    ['an earliest time', { since: 3 * MINUTE }, ['3 QueueDeleted', '4 UserDeactivated']],
    ['a latest time', { until: 2 * MINUTE }, ['1 UserCreated', '2 UserCreated']],
    ['a number of events', { limit: 2 }, ['1 UserCreated', '2 UserCreated']],
    ['the newest of them', { last: 2 }, ['3 QueueDeleted', '4 UserDeactivated']],
    ['the newest of an actor', { last: 1, actorIds: new Set([2]) }, ['3 QueueDeleted']],
    ['the newest of a type', { last: 9, filter: { types: ['UserCreated'] } }, ['1 UserCreated', '2 UserCreated']],
    [
      'all of them',
      { filter: { types: ['UserCreated'] }, actorIds: new Set([1]), since: 1, limit: 9 },
      ['2 UserCreated'],
    ],
    ['an actor of no event', { actorIds: new Set([77]) }, []],
  ])('can be bounded by %s', async (_name, query, found) => {
    expect(await read(query)).toEqual(found);
  });

  it('finds the same newest events in an engine that finds none by position', async () => {
    const { readAt: _none, ...engine } = {
      readAll: log.readAll.bind(log),
      head: log.head.bind(log),
      readAt: log.readAt,
    };
    for (const [count, isWanted] of [
      [2, () => true],
      [9, () => true],
      [1, ({ metadata }: StoredEvent) => metadata.actorId === 1],
    ] as const) {
      const found = await newestEvents(log, count, { filter: {}, isWanted });
      expect(found.length).toBeGreaterThan(0);
      expect(await newestEvents(engine, count, { filter: {}, isWanted })).toEqual(found);
    }
  });

  it('follows new events until it is told to stop', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    let at = 5;
    for await (const event of readLog(log, codec, {
      filter: {},
      follow: true,
      signal: stop.signal,
      since: 4 * MINUTE,
    })) {
      seen.push(toldOf(event));
      if (seen.length === 3) stop.abort();
      else await append('eventQueues', queueDeleted, 2, at++ * MINUTE);
    }
    expect(seen).toEqual(['4 UserDeactivated', '5 QueueDeleted', '6 QueueDeleted']);
  });

  it('names an event that is damaged, and goes on behind it', async () => {
    const metadata = { actorId: 2, client: 'test', at: 8 * MINUTE, correlationId: 'c', causationId: null };
    const { id, ...event } = codec.encode(queueDeleted, randomUUID(), metadata);
    const damaged = { ...event, id, metadata: { ...event.metadata, address: { keyId: 'k', box: 'AAAA' } } };
    const { revision, position } = await writer.append('eventQueues', [damaged], 'any');
    await append('eventQueues', queueDeleted, 2, 8 * MINUTE);
    const withKey = new EventCodec({ getMany: async () => new Map([['k', newContentKey()]]) }, eventRegistry);
    const why = 'its address is not what its key has sealed';
    const named = `QueueDeleted ${id} (eventQueues@${revision}, position ${position}) cannot be read: ${why}`;
    expect(await read({ since: 8 * MINUTE, until: 8 * MINUTE }, withKey)).toEqual([named, '8 QueueDeleted']);
    expect(await read({ last: 2 }, withKey)).toEqual([named, '8 QueueDeleted']);
  });

  describe('the names of actors', () => {
    it('come from the log', async () => {
      const actors = new Actors(log, codec);
      expect(await actors.withId(2)).toEqual({ id: 2, name: 'User 2', email: 'Bob@example.com' });
      expect(await actors.idsWithEmail('bob@EXAMPLE.com')).toEqual(new Set([2]));
    });

    it('are looked up again for a new account', async () => {
      const actors = new Actors(log, codec);
      expect(await actors.withId(3)).toEqual({ id: 3, name: null, email: null });
      await append(USERS_STREAM, created(3, 'cai@example.com'), 1, 9 * MINUTE);
      expect(await actors.withId(3)).toMatchObject({ name: 'User 3' });
    });

    it('are missing for an address that no account has', async () => {
      expect(await new Actors(log, codec).idsWithEmail('nobody@example.com')).toEqual(new Set());
    });
  });
});
