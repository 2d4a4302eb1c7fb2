import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { registryOf } from '../../../src/events/event-registry.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { ERASURE_DATABASE, ErasedContent, erasuresIn } from '../../../src/platform/consumers/erased-content.js';
import { passedOverIn } from '../../../src/platform/consumers/passed-over.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { defineEvent } from '../../../src/platform/kernel/event-definition.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { eventually } from '../../support/eventually.js';
import { override } from '../../support/override.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const LONGEST_MS = 60_000;

type ChannelErased = DomainEvent<'ChannelErased', { readonly keyId: string }>;
const registry = registryOf([
  defineEvent<ChannelErased>({ type: 'ChannelErased', version: 1, concerns: () => ({}), keys: { keyId: 'ends' } }),
]);

interface World {
  /** Channels whose keys cannot be looked up. */
  readonly broken: Set<number>;
  /** Called before each purge. */
  beforePurge: () => void;
  readonly said: string[];
  /** Numbers of keys that a start has found for deletions of before. */
  readonly found: number[];
  /** Stores a key for the channel, and deletes its content. */
  erase(channelId: number): Promise<Position>;
  /** Channels whose keys exist. */
  left(...channelIds: number[]): Promise<number[]>;
  start(): Promise<ErasedContent>;
  count(): Promise<number>;
  checkpoint(): Promise<Position | null>;
}

const keyOf = (channelId: number): string => `key-${channelId}`;

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (dataDirectory) => {
    const engines = await openEngines({ dataDirectory });
    const { eventStore, documentStore, contentKeys, fileStore } = engines;
    const codec = new EventCodec(contentKeys, registry);
    const runner = new CommandRunner(eventStore, contentKeys, codec);
    const running: ErasedContent[] = [];
    const world: World = {
      broken: new Set(),
      beforePurge: () => {},
      said: [],
      found: [],
      erase: async (channelId) => {
        await contentKeys.putIfAbsent(keyOf(channelId), newContentKey());
        const erased: ChannelErased = { type: 'ChannelErased', data: { keyId: keyOf(channelId) } };
        return (await runner.report(randomUUID(), erased, by)).position;
      },
      left: async (...channelIds) => {
        const keys = await contentKeys.getMany(channelIds.map(keyOf));
        return channelIds.filter((id) => keys.has(keyOf(id)));
      },
      start: async () => {
        const started = new ErasedContent({
          eventStore,
          documentStore,
          codec,
          contentKeys: override(contentKeys, {
            getMany: (ids) => {
              if ([...world.broken].some((id) => ids.includes(keyOf(id)))) throw new TypeError('it cannot be read');
              return contentKeys.getMany(ids);
            },
          }),
          fileStore,
          erasures: erasuresIn(registry, []),
          purge: async () => world.beforePurge(),
          onKeysFound: async (count) => {
            world.found.push(count);
          },
          report: () => {},
          say: (line) => world.said.push(line),
        });
        running.push(started);
        await started.start();
        return started;
      },
      count: async () => (await passedOverIn(documentStore, [ERASURE_DATABASE], 20)).count,
      checkpoint: async () => (await documentStore.database(ERASURE_DATABASE)).checkpoint(),
    };
    try {
      await work(world);
    } finally {
      for (const one of running) await one.close();
      await engines.close();
    }
  });

describe('the erasure of content', () => {
  it('passes over a deletion that it cannot carry out, and carries it out at a later start', () =>
    inWorld(async (world) => {
      world.broken.add(2);
      const first = await world.start();
      const [before, bad, after] = [await world.erase(1), await world.erase(2), await world.erase(3)];
      await eventually(async () => expect(await world.left(1, 2, 3)).toEqual([2]));
      await eventually(async () => expect(await world.checkpoint()).toBe(after));
      expect(await world.count()).toBe(1);
      // Requests that wait for it do not succeed.
      await first.waitFor(before, LONGEST_MS);
      await expect(first.waitFor(bad, LONGEST_MS)).rejects.toThrow('was passed over');
      await first.close();

      // The deletions of later requests are not in doubt.
      const second = await world.start();
      await second.waitFor(await world.erase(4), LONGEST_MS);
      expect(await world.left(2, 4)).toEqual([2]);
      await second.close();

      world.broken.clear();
      const third = await world.start();
      await third.waitFor(after, LONGEST_MS);
      expect(await world.left(2)).toEqual([]);
      expect(await world.count()).toBe(0);
      await eventually(async () => expect(world.found).toEqual([1]));
      expect(world.said.at(-1)).toMatch(/^erasure has handled ChannelErased /);
    }));

  it('waits for documents as long as they cannot be purged, but not with the keys', () =>
    inWorld(async (world) => {
      let purges = 0;
      world.beforePurge = () => {
        purges++;
        if (purges < 7) throw purges % 2 ? new UnavailableError('documents are behind') : new Error('it went wrong');
      };
      const erased = await world.start();
      const last = await world.erase(1);
      await eventually(async () => expect(await world.left(1)).toEqual([]));
      await expect(erased.waitFor(last, 1)).rejects.toThrow('deleted content is still there');
      await erased.waitFor(last, LONGEST_MS);
      expect(purges).toBe(7);
      expect(await world.count()).toBe(0);
    }));
});
