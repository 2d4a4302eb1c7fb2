import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  isActive,
  type Presence,
  pinged,
  presenceOnSharing,
  statusAt,
  timestampsOf,
} from '../../../src/features/presence/domain/presence.js';
import { PresenceBoard } from '../../../src/features/presence/services/presence-board.js';
import { Presences } from '../../../src/features/presence/services/presences.js';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { History } from '../../projections/messages/messages-history.js';
import { eventually } from '../../support/eventually.js';
import { withScratch } from '../../support/scratch.js';

const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;
const T = 1_700_000_000_000;
const at = (seconds: number): number => T + seconds * 1000;
const seen = (active: number | null, connected: number): Presence => ({
  activeAt: active === null ? null : at(active),
  connectedAt: at(connected),
});

describe('a ping', () => {
  it('takes the first down, and says who comes online', () => {
    expect(pinged(undefined, 'active', T)).toEqual({ presence: seen(0, 0), comesOnline: true });
    expect(pinged(undefined, 'idle', T)).toEqual({ presence: seen(null, 0), comesOnline: false });
  });

  it('changes nothing within 55 s, and no status twice', () => {
    expect(pinged(seen(0, 0), 'active', at(55))).toBeNull();
    expect(pinged(seen(0, 0), 'idle', at(55))).toBeNull();
    expect(pinged(seen(0, 0), 'active', at(56))).toEqual({ presence: seen(56, 56), comesOnline: false });
    expect(pinged(seen(0, 0), 'idle', at(56))).toEqual({ presence: seen(0, 56), comesOnline: false });
  });

  it('of somebody who gets active after idle pings counts at once', () => {
    expect(pinged(seen(null, 0), 'active', at(1))).toEqual({ presence: seen(1, 1), comesOnline: true });
    expect(pinged(seen(0, 130), 'active', at(130))).toEqual({ presence: seen(130, 130), comesOnline: false });
    expect(pinged(seen(0, 130), 'active', at(131))).toEqual({ presence: seen(131, 131), comesOnline: true });
  });
});

describe('a presence', () => {
  it('is active in the older form if the last activity is at most 70 s older than the last ping', () => {
    expect(statusAt(seen(0, 70))).toEqual({ status: 'active', timestamp: at(0) / 1000 });
    expect(statusAt(seen(0, 71))).toEqual({ status: 'idle', timestamp: at(71) / 1000 });
    expect(statusAt(seen(null, 5))).toEqual({ status: 'idle', timestamp: at(5) / 1000 });
  });

  it('has the timestamps that there are', () => {
    expect(timestampsOf(seen(0, 70))).toEqual({ active_timestamp: at(0) / 1000, idle_timestamp: at(70) / 1000 });
    expect(timestampsOf(seen(null, 5))).toEqual({ idle_timestamp: at(5) / 1000 });
  });

  it('looks offline once it is not shared any more', () => {
    expect(isActive(presenceOnSharing(true, T), T)).toBe(true);
    expect(isActive(presenceOnSharing(false, T), T)).toBe(false);
    expect(T - presenceOnSharing(false, T).connectedAt).toBeGreaterThan(300_000);
    expect(isActive(seen(0, 500), at(200))).toBe(true);
    expect(isActive(seen(0, 500), at(201))).toBe(false);
  });
});

describe('the board', () => {
  let now: number;
  let bus: InProcessBus;
  const boards: PresenceBoard[] = [];
  const failures: unknown[] = [];

  beforeEach(() => {
    now = T;
    bus = new InProcessBus();
  });
  afterEach(async () => {
    for (const board of boards.splice(0)) await board.onApplicationShutdown();
    expect(failures).toEqual([]);
  });

  async function opened(store: SqliteDocumentStore): Promise<PresenceBoard> {
    const onFailure = (error: unknown) => failures.push(error);
    const board = await PresenceBoard.open({ store, bus, onFailure, now: () => now });
    boards.push(board);
    return board;
  }
  const withStore = (work: (store: SqliteDocumentStore) => Promise<void>) =>
    withScratch(async (folder) => {
      const store = await SqliteDocumentStore.open(folder);
      try {
        await work(store);
      } finally {
        for (const board of boards.splice(0)) await board.onApplicationShutdown();
        await store.close();
      }
    });

  it('is the same in every process, with growing ids of changes', () =>
    withStore(async (store) => {
      const [here, there] = [await opened(store), await opened(store)];
      here.record(1, seen(0, 0));
      there.record(2, seen(0, 0));
      here.record(1, seen(60, 60));
      for (const board of [here, there]) {
        expect([...board.all()]).toMatchObject([
          { userId: 2, ...seen(0, 0) },
          { userId: 1, ...seen(60, 60) },
        ]);
        const ids = [...board.all()].map(({ updateId }) => updateId);
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
        expect(board.lastUpdateId).toBe(ids.at(-1));
      }
    }));

  it('ignores what is no entry', () =>
    withStore(async (store) => {
      const board = await opened(store);
      await bus.publish('presence', { userId: 'one' });
      await bus.publish('presence', {});
      expect([...board.all()]).toEqual([]);
      expect(board.lastUpdateId).toBe(-1);
    }));

  it('knows after a restart when everybody was last seen', () =>
    withStore(async (store) => {
      const board = await opened(store);
      board.record(1, seen(0, 0));
      board.record(2, seen(null, 10));
      board.record(1, seen(600, 600));
      await board.onApplicationShutdown();
      const next = await opened(store);
      expect(next.of(1)).toMatchObject(seen(600, 600));
      expect(next.of(2)).toMatchObject(seen(null, 10));
    }));

  it('stores a user at most once an hour while it runs', () =>
    withStore(async (store) => {
      const board = await opened(store);
      const database = await store.database('presence');
      const stored = () => database.collection('last-seen').find({}, { sort: { _id: 1 }, limit: 9 });
      board.record(1, seen(0, 0));
      await eventually(async () => expect(await stored()).toMatchObject([seen(0, 0)]));
      board.record(1, seen(3599, 3599));
      board.record(2, seen(3599, 3599));
      await eventually(async () => expect(await stored()).toMatchObject([seen(0, 0), seen(3599, 3599)]));
      board.record(1, seen(3600, 3600));
      await eventually(async () => expect(await stored()).toMatchObject([seen(3600, 3600), seen(3599, 3599)]));
      await database.close();
    }));

  it('gives many clients one list, which is made again after a time that depends on its length', () =>
    withStore(async (store) => {
      const history = new History();
      const users = Array.from({ length: 300 }, () => history.user()._id);
      const board = await opened(store);
      const presences = new Presences(board, history.directory);
      for (const userId of users) board.record(userId, { activeAt: now, connectedAt: now });
      const first = presences.modern(null).members;
      expect(Object.keys(plain(first.presences))).toHaveLength(300);
      const known = Number(first.presence_last_update_id);
      now += 250;
      board.record(users[0] ?? 0, { activeAt: now, connectedAt: now });
      expect(presences.modern(known).members).toMatchObject({ presence_last_update_id: known });
      expect(plain(presences.modern(known).members.presences)).toEqual({});
      now += 60;
      const second = presences.modern(known);
      expect(Object.keys(plain(second.members.presences))).toEqual([String(users[0])]);
      expect(second.members.presence_last_update_id).toBe(board.lastUpdateId);
      expect(presences.modern(known)).toBe(second);
    }));
});
