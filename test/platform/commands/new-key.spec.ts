import { expect, it } from '@jest/globals';
import type { DraftCreated } from '../../../src/events/drafts/drafts.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import {
  type ContentKey,
  type ContentKeys,
  ContentKeysUnavailable,
} from '../../../src/platform/content-keys/content-keys.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const STREAM = 'user-1';

const WORDS = { topic: 'tea', text: 'two cups' };
const draftOf = (keyId: string): DraftCreated['data'] => ({
  recipient: { type: 'unaddressed' },
  editedAt: 1,
  userId: 1,
  draftId: 1,
  keyId,
  words: WORDS,
});

interface World {
  readonly contentKeys: ContentKeys;
  /** Reports an event with content under a new key of its id. @param keys the store of keys that the runner has */
  report(id: string, keys?: ContentKeys): Promise<unknown>;
  /** The key that the event was made with, once it was. */
  readonly madeWith: Promise<ContentKey>;
  texts(): Promise<unknown[]>;
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const contentKeys = await SqliteContentKeys.open(directory);
    const codec = new EventCodec(contentKeys, eventRegistry);
    const made = new Deferred<ContentKey>();
    try {
      await work({
        contentKeys,
        report: (id, keys = contentKeys) =>
          new CommandRunner(store, keys, codec).reportUnderNewKey(
            STREAM,
            (key): DraftCreated => {
              made.resolve(key);
              return { type: 'DraftCreated', data: draftOf(id) };
            },
            by,
            id,
          ),
        madeWith: made.promise,
        texts: async () =>
          ((await codec.decode(await store.readStream(STREAM))) as Recorded<DraftCreated>[]).map(
            ({ data }) => data.words,
          ),
      });
    } finally {
      await contentKeys.close();
      await store.close();
    }
  });

it('a fact under a new key is sealed while the key is written, and appended after it', () =>
  inWorld(async ({ contentKeys, report, madeWith, texts }) => {
    const id = newEventId();
    const isWritten = new Deferred<void>();
    const slow: ContentKeys = Object.create(contentKeys, {
      putIfAbsent: {
        value: async (...call: Parameters<ContentKeys['putIfAbsent']>) => {
          await isWritten.promise;
          return contentKeys.putIfAbsent(...call);
        },
      },
    });
    const reported = report(id, slow);
    const key = await madeWith;
    expect(await texts()).toEqual([]);
    isWritten.resolve();
    expect(await reported).toMatchObject({ revision: 0, isRepeat: false });
    expect((await contentKeys.getMany([id])).get(id)).toEqual(key);
    expect(await texts()).toEqual([WORDS]);
  }));

it('a fact whose id has a key already is not appended', () =>
  inWorld(async ({ contentKeys, report, texts }) => {
    const id = newEventId();
    const { key } = await contentKeys.putIfAbsent(id, Buffer.alloc(32, 1));
    expect(await report(id)).toBeNull();
    expect((await contentKeys.getMany([id])).get(id)).toEqual(key);
    expect(await texts()).toEqual([]);
  }));

it('a fact whose key cannot be written is not appended', () =>
  inWorld(async ({ contentKeys, report, texts }) => {
    const full: ContentKeys = Object.create(contentKeys, {
      putIfAbsent: { value: async () => Promise.reject(new ContentKeysUnavailable('the disk is full')) },
    });
    await expect(report(newEventId(), full)).rejects.toThrow('the disk is full');
    expect(await texts()).toEqual([]);
  }));
