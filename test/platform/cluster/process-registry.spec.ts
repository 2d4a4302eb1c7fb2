import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { ALIVE_FOR, withSharedDocuments } from '../../support/servers/processes.js';

describe('processes on the same documents', () => {
  it('know each other, and the position of each directory', () =>
    withSharedDocuments(async (_store, join) => {
      const api = await join('api');
      const worker = await join('projections');
      api.directory = 42;
      await eventually(async () => {
        expect(await worker.registry.peers()).toMatchObject([{ _id: api.registry.id, role: 'api', directory: 42 }]);
        expect(await api.registry.peers()).toMatchObject([{ _id: worker.registry.id, directory: null }]);
      });
      expect(api.registry.isAlive()).toBe(true);
      expect([api, worker].map(({ registry }) => registry.countOtherKeepers())).toEqual([1, 0]);
      worker.keeps = false;
      await eventually(async () => {
        await api.registry.peers();
        expect(api.registry.countOtherKeepers()).toBe(0);
      });
    }));

  it('drop a process that is silent by their own clocks, and add it again when it is back', () =>
    withSharedDocuments(async (_store, join) => {
      const one = await join();
      const other = await join();
      await other.registry.peers();
      expect(other.registry.isGone(one.registry.id)).toBe(false);

      one.cutOff = true;
      await eventually(() => expect(one.reported).not.toEqual([]));
      await other.registry.peers();
      other.now += ALIVE_FOR + 1;
      expect(await other.registry.peers()).toEqual([]);
      expect(other.registry.isGone(one.registry.id)).toBe(true);

      one.cutOff = false;
      await eventually(async () => expect(await other.registry.peers()).toHaveLength(1));
    }));

  it('know that they are cut off before the others drop them, and report it once', () =>
    withSharedDocuments(async (_store, join) => {
      const one = await join();
      one.cutOff = true;
      await eventually(() => expect(one.reported).not.toEqual([]));
      one.now += ALIVE_FOR * 0.85;
      expect(one.registry.isAlive()).toBe(false);
      expect(one.registry.isCutOff()).toBe(true);
      await eventually(() => expect(one.lapses).toBe(1));
      const { length } = one.reported;
      await eventually(() => expect(one.reported.length).toBeGreaterThan(length + 3));
      expect(one.lapses).toBe(1);

      one.cutOff = false;
      await eventually(() => expect(one.registry.isAlive()).toBe(true));
    }));

  it('report a standstill even if it is over, because others may have taken over', () =>
    withSharedDocuments(async (_store, join) => {
      const one = await join();
      one.now += ALIVE_FOR * 2;
      expect(one.registry.knownSince()).toBeNull();
      await eventually(() => expect(one.lapses).toBe(1));
      await eventually(() => expect(one.registry.isAlive()).toBe(true));
      // Its knowledge from before the standstill is older than its clock says.
      expect(one.registry.knownSince()).toBeGreaterThanOrEqual(one.now);
    }));

  it('are gone for the others as soon as they leave', () =>
    withSharedDocuments(async (_store, join) => {
      const one = await join();
      const other = await join();
      expect(await other.registry.peers()).toHaveLength(1);
      await one.close();
      expect(await other.registry.peers()).toEqual([]);
      expect(other.registry.isGone(one.registry.id)).toBe(true);
    }));
});
