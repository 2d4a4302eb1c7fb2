import { afterEach, describe, expect, it } from '@jest/globals';
import { Fence, Fenced } from '../../../src/platform/cluster/fence.js';
import { LeaseKeeper } from '../../../src/platform/cluster/lease-keeper.js';
import { type Lease, Leases } from '../../../src/platform/cluster/leases.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import { eventually } from '../../support/eventually.js';
import { ALIVE_FOR, type TestProcess, withSharedDocuments } from '../../support/servers/processes.js';

async function take(leases: Leases, name: string): Promise<Lease | null> {
  return leases.acquire(name, (await leases.look([name])).get(name));
}

describe('a lease', () => {
  it('has one holder, however many processes ask', () =>
    withSharedDocuments(async (store, join) => {
      const processes = await Promise.all([join(), join(), join()]);
      const all = await Promise.all(processes.map((one) => Leases.open(store, one.registry)));
      for (const { registry } of processes) await registry.peers();
      const taken = await Promise.all(all.map((leases) => take(leases, 'messages')));
      expect(taken.filter(Boolean)).toEqual([{ name: 'messages', token: 1 }]);
    }));

  it('passes on with a greater token when its holder is gone', () =>
    withSharedDocuments(async (store, join) => {
      const one = await join();
      const other = await join();
      const first = await take(await Leases.open(store, one.registry), 'messages');
      const leases = await Leases.open(store, other.registry);
      await other.registry.peers();
      expect(await take(leases, 'messages')).toBeNull();

      one.cutOff = true;
      await eventually(() => expect(one.reported).not.toEqual([]));
      await other.registry.peers();
      other.now += ALIVE_FOR + 1;
      expect(await take(leases, 'messages')).toEqual({ name: 'messages', token: (first?.token ?? 0) + 1 });
    }));

  it('passes on at once when its holder releases it, and cannot be released by an earlier holder', () =>
    withSharedDocuments(async (store, join) => {
      const one = await Leases.open(store, (await join()).registry);
      const other = await join();
      const others = await Leases.open(store, other.registry);
      await other.registry.peers();
      const first = await take(one, 'sends');
      if (!first) throw new Error('nobody else wanted it');
      await one.release(first);
      const second = await take(others, 'sends');
      expect(second).toEqual({ name: 'sends', token: 2 });
      await one.release(first);
      expect((await one.look(['sends'])).get('sends')).toMatchObject({ holder: other.registry.id, token: 2 });
    }));
});

describe('a fence', () => {
  it('refuses writes of a process whose lease another process took over', () =>
    withSharedDocuments(async (store) => {
      const database = await store.database('fenced');
      await database.ensure({ things: {} });
      const [older, newer] = [new Fence(3), new Fence(4)];
      const write = (fence: Fence, _id: number) =>
        database.transaction(async (transaction) => {
          await fence.writeIn(transaction, database.name, { writes: [], checkpoint: 1 });
          await transaction.collection<StoredDocument>('things').insertOne({ _id });
        });
      await older.close(database);
      await write(older, 1);
      await newer.close(database);
      await expect(write(older, 2)).rejects.toThrow(Fenced);
      await expect(older.close(database)).rejects.toThrow(Fenced);
      await write(newer, 3);
      expect(await database.collection('things').countDocuments({})).toBe(2);
    }));
});

describe('the keeper of leases', () => {
  interface Keeping {
    readonly keeper: LeaseKeeper;
    readonly log: string[];
    fail: boolean;
    /** The leases that cannot be left at present. */
    readonly busy: Set<string>;
    looks: number;
  }
  const NAMES = ['a', 'b', 'c', 'd'];

  const keepers: LeaseKeeper[] = [];
  afterEach(async () => {
    for (const keeper of keepers.splice(0)) await keeper.close();
  });

  async function keeping(one: TestProcess): Promise<Keeping> {
    const log: string[] = [];
    const kept: Keeping = {
      log,
      fail: false,
      busy: new Set(),
      looks: 0,
      keeper: new LeaseKeeper({
        registry: one.registry,
        leases: await Leases.open(one.store, one.registry),
        names: NAMES,
        adopt: async (leases) => {
          if (kept.fail) throw new Error('cannot');
          for (const { name, token } of leases) log.push(`${name}${token}`);
        },
        canKeep: () => {
          kept.looks++;
          return one.keeps;
        },
        release: async (name) => {
          log.push(`${kept.busy.has(name) ? 'stay' : 'leave'} ${name}`);
          return !kept.busy.has(name);
        },
        drop: async () => void log.push('drop'),
        report: () => {},
        lookEvery: 5,
        patience: 20,
        rest: 1_000_000,
      }),
    };
    keepers.push(kept.keeper);
    await kept.keeper.start();
    return kept;
  }

  it('holds all leases if there is no other process', () =>
    withSharedDocuments(async (_store, join) => {
      const { keeper, log } = await keeping(await join());
      expect(log).toEqual(['a1', 'b1', 'c1', 'd1']);
      await keeper.close();
      expect(keeper.holds()).toEqual([]);
    }));

  it('shares the leases with another process, and takes all of them when that process leaves', () =>
    withSharedDocuments(async (_store, join) => {
      const processes = [await join(), await join()];
      for (const { registry } of processes) await registry.peers();
      const [one, other] = await Promise.all(processes.map(keeping));
      if (!one || !other) throw new Error('two have joined');
      await eventually(() => expect([...one.keeper.holds(), ...other.keeper.holds()].sort()).toEqual(NAMES));
      await one.keeper.close();
      await processes[0]?.close();
      await eventually(() => expect(other.keeper.holds().sort()).toEqual(NAMES));
      await other.keeper.close();
    }));

  it('hands leases over one by one to a process that joins later, and keeps the others', () =>
    withSharedDocuments(async (_store, join) => {
      const first = await keeping(await join());
      const second = await keeping(await join());
      await eventually(() => expect(second.keeper.holds()).toEqual(['d', 'c']));
      expect(first.keeper.holds()).toEqual(['a', 'b']);
      expect(first.log).toEqual(['a1', 'b1', 'c1', 'd1', 'leave d', 'leave c']);
      expect(second.log).toEqual(['d2', 'c2']);
    }));

  it('keeps a lease that cannot be left at present, until it can', () =>
    withSharedDocuments(async (_store, join) => {
      const first = await keeping(await join());
      first.busy.add('d');
      const second = await keeping(await join());
      await eventually(() => expect(first.log.filter((entry) => entry === 'stay d').length).toBeGreaterThan(2));
      expect(second.log).toEqual([]);
      first.busy.clear();
      await eventually(() => expect(second.log).toEqual(['d2', 'c2']));
    }));

  it('takes a lease back once if the other process does not take it', () =>
    withSharedDocuments(async (_store, join) => {
      const { log } = await keeping(await join());
      const idle = await join();
      await eventually(() => expect(log).toEqual(['a1', 'b1', 'c1', 'd1', 'leave d', 'd2']));
      await idle.registry.peers();
    }));

  it('leaves the leases when it cannot keep them, but not before another process can', () =>
    withSharedDocuments(async (_store, join) => {
      const processes = [await join(), await join()] as const;
      const [first, second] = processes;
      first.keeps = false;
      second.keeps = false;
      const kept = await keeping(first);
      expect(kept.keeper.holds()).toEqual([]);
      first.keeps = true;
      await eventually(() => expect(kept.keeper.holds()).toEqual(NAMES));
      const other = await keeping(second);
      first.keeps = false;
      const { looks } = kept;
      await eventually(() => expect(kept.looks).toBeGreaterThan(looks + 10));
      expect(kept.log).not.toContain('drop');
      second.keeps = true;
      await eventually(() => expect(other.keeper.holds()).toEqual(NAMES));
      expect(kept.log.at(-1)).toBe('drop');
    }));

  it('drops all leases when another process took one, and takes them again if that process is gone', () =>
    withSharedDocuments(async (store, join) => {
      const { keeper, log } = await keeping(await join());
      const thief = await Leases.open(store, { id: 'thief', isGone: () => true });
      await take(thief, 'b');
      await eventually(() => expect(log).toEqual(expect.arrayContaining(['drop', 'a2', 'c2', 'd2'])));
      // The thief is no registered process, so that its lease passes on.
      await eventually(() => expect(log).toContain('b3'));
      await keeper.close();
    }));

  it('drops the leases and tries again if it cannot take them up', () =>
    withSharedDocuments(async (_store, join) => {
      const one = await join();
      const kept = await keeping(one);
      kept.fail = true;
      kept.keeper.lose();
      await eventually(() => expect(kept.log.filter((entry) => entry === 'drop').length).toBeGreaterThan(2));
      kept.fail = false;
      await eventually(() => expect(kept.log.at(-1)).toMatch(/^d\d+$/));
      expect(kept.keeper.holds()).toEqual(NAMES);
    }));
});
