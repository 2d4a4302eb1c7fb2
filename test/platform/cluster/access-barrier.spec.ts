import { describe, expect, it } from '@jest/globals';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import { AccessBarrier, DIRECTORY_TOPIC } from '../../../src/platform/cluster/access-barrier.js';
import { eventually } from '../../support/eventually.js';
import { ALIVE_FOR, type TestProcess, withSharedDocuments } from '../../support/servers/processes.js';

interface Waiting {
  readonly bus: InProcessBus;
  now: number;
  over: boolean;
  readonly reported: unknown[];
  pass(position: number): Promise<void>;
}

function waitingIn({ registry }: Pick<TestProcess, 'registry'>): Waiting {
  const bus = new InProcessBus();
  const reported: unknown[] = [];
  const waiting: Waiting = {
    bus,
    now: 0,
    over: false,
    reported,
    pass: (position) =>
      barrier.waitUntilPassed(position).then(() => {
        waiting.over = true;
        barrier.close();
      }),
  };
  const barrier = new AccessBarrier({
    registry,
    bus,
    report: (error) => reported.push(error),
    clock: () => waiting.now,
  });
  return waiting;
}

describe('the access barrier', () => {
  it('is passed at once if there is no other process', () =>
    withSharedDocuments(async (_store, join) => {
      await waitingIn(await join()).pass(10);
    }));

  it('waits until every other directory announces or stores the position', () =>
    withSharedDocuments(async (_store, join) => {
      const [one, announcing, storing, worker] = [await join(), await join(), await join(), await join('projections')];
      announcing.directory = 9;
      storing.directory = 9;
      await eventually(async () => {
        const known = (await one.registry.peers()).map(({ directory }) => directory);
        expect(known.filter((directory) => directory === 9)).toHaveLength(2);
      });
      const waiting = waitingIn(one);
      const passed = waiting.pass(10);
      await waiting.bus.publish(DIRECTORY_TOPIC, { [announcing.registry.id]: { position: 10 } });
      await one.registry.peers();
      expect(waiting.over).toBe(false);
      storing.directory = 11;
      await passed;
      expect(worker.directory).toBeNull();
    }));

  it('waits for a frozen process only until that process answers no requests any more', () =>
    withSharedDocuments(async (_store, join) => {
      const one = await join();
      const frozen = await join();
      frozen.directory = 9;
      await eventually(async () => expect(await one.registry.peers()).toMatchObject([{ directory: 9 }]));
      frozen.cutOff = true;
      await eventually(() => expect(frozen.reported).not.toEqual([]));
      const waiting = waitingIn(one);
      const passed = waiting.pass(10);
      await one.registry.peers();
      expect(waiting.over).toBe(false);
      frozen.now += ALIVE_FOR;
      expect(frozen.registry.isAlive()).toBe(false);
      one.now += ALIVE_FOR + 1;
      await passed;
    }));

  it('waits no longer than a directory may be out of date, even if the other processes are unknown', () =>
    withSharedDocuments(async () => {
      const waiting = waitingIn({
        registry: {
          peers: async () => {
            throw new Error('the documents are away');
          },
        } as unknown as TestProcess['registry'],
      });
      const passed = waiting.pass(10);
      await eventually(() => expect(waiting.reported.length).toBeGreaterThan(1));
      expect(waiting.over).toBe(false);
      waiting.now = 5_250;
      await passed;
    }));
});
