import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { VerifiedParts } from '../../src/app/verify/chunk.js';
import { VerifiedLog } from '../../src/app/verify/verified-log.js';
import { verifyChunk } from '../../src/app/verify/verify-chunk.js';
import type { ContentKeys } from '../../src/platform/content-keys/content-keys.js';
import { CONTENT_KEYS } from '../../src/platform/content-keys/content-keys.js';
import { monthKeyId } from '../../src/platform/content-keys/month-key.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../src/platform/documents/document-store.js';
import { START } from '../../src/platform/kernel/position.js';
import { type Batch, EVENT_STORE, type EventStore, type StoredEvent } from '../../src/platform/log/event-store.js';
import { canonicalEvent } from '../../src/platform/transparency/leaf.js';
import { PublishedTree } from '../../src/platform/transparency/published-tree.js';
import { TILES, type TileDocument, TREE_DATABASE } from '../../src/platform/transparency/tree.documents.js';
import { type OwnEngines, ownEngines } from '../support/engines/own-engines.js';
import { override } from '../support/override.js';
import { Annals } from '../support/servers/annals.js';
import { run } from '../support/servers/command-line.js';

const CHUNK = 256;

describe('a log that is compared with its tree', () => {
  let engines: OwnEngines;
  let annals: Annals;
  let events: readonly StoredEvent[];
  let parts: VerifiedParts & { readonly eventStore: EventStore };

  beforeAll(async () => {
    engines = await ownEngines();
    annals = await Annals.on(engines);
    const owner = await annals.owner();
    const ids: number[] = [];
    for (let n = 0; n < 280; n++)
      ids.push(
        (await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: `message ${n}` })).body.id,
      );
    await owner.api.delete(`/messages/${ids[3]}`);
    const eventStore = annals.app.get<EventStore>(EVENT_STORE);
    const tree = annals.app.get(PublishedTree);
    const head = await tree.reach(await eventStore.head(), 60_000);
    events = (await eventStore.readAll({ after: START, limit: 10_000 })).events.slice(0, head.size);
    parts = { eventStore, contentKeys: annals.app.get<ContentKeys>(CONTENT_KEYS), tree, opensContent: true };
  });
  afterAll(() => annals.stop());

  /** @returns the first difference; null: the log is right */
  async function differenceIn(own: Partial<VerifiedParts> = {}, noted: { size: number; root: string }[] = []) {
    const { tree, ...others } = { ...parts, ...own };
    const head = await tree.head();
    if (!head) throw new Error('there is no tree');
    const log = new VerifiedLog();
    try {
      for (let from = 0; from < head.size; from += CHUNK) {
        const to = Math.min(head.size, from + CHUNK);
        log.add(await verifyChunk({ from, to }, { ...others, tree }), to);
      }
      await log.end(
        head,
        { ...parts, ...own },
        noted.map((one) => ({ ...one, origin: 'chat.example.org/transparency', where: 'kept' })),
      );
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  }

  /** A log that holds other events than the tree was made of. */
  const logOf = (changed: readonly StoredEvent[]): EventStore =>
    override(parts.eventStore, {
      readAll: async ({ after, limit }): Promise<Batch> => {
        const found = changed.filter(({ position }) => position > after).slice(0, limit);
        return { events: found, position: found.at(-1)?.position ?? after, caughtUp: found.length < limit };
      },
      readTexts: async ({ after, limit }) =>
        changed
          .filter(({ position }) => position > after)
          .slice(0, limit)
          .map((event) => ({ position: event.position, text: canonicalEvent(event) })),
    });
  const changed = (change: (events: StoredEvent[]) => void): EventStore => {
    const others = [...events];
    change(others);
    return logOf(others);
  };
  const named = ({ type, id, stream, revision }: StoredEvent): string => `${type} ${id} (${stream}@${revision})`;
  const at = (index: number): StoredEvent => events[index] ?? fail();

  it('is right as it is', async () => {
    expect(await differenceIn()).toBeNull();
    expect(await differenceIn({ eventStore: logOf(events) })).toBeNull();
  });

  it('is found where an event is changed, missing, added or out of order', async () => {
    const find = (change: (events: StoredEvent[]) => void) => differenceIn({ eventStore: changed(change) });
    const other = { ...at(40), metadata: { ...at(40).metadata, at: 1 } };
    expect(await find((all) => all.splice(40, 1, other))).toBe(
      `changed: event 41, ${named(at(40))}, is not the one of the tree`,
    );
    expect(await find((all) => all.splice(40, 1))).toBe(`missing: event 41, before ${named(at(41))}`);
    const added = { ...other, position: at(39).position + 0.5 };
    expect(await find((all) => all.splice(40, 0, added))).toBe(`added: ${named(at(40))}, before event 41`);
    const swapped = [at(50), at(40)].map((event, n) => ({ ...event, position: at(n === 0 ? 40 : 50).position }));
    expect(
      await find((all) => {
        all.splice(40, 1, swapped[0] ?? fail());
        all.splice(50, 1, swapped[1] ?? fail());
      }),
    ).toBe(`out of order: ${named(at(50))} is event 51, and stands in place of event 41`);
    expect(await find((all) => all.splice(-3))).toBe(
      `event ${events.length - 2} is missing, and all after it: the log ends before its tree`,
    );
  });

  it('is found at every event that is flipped, and never where nothing is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(events.length - 1), fc.boolean(), async (index, isFlipped) => {
        const event = { ...at(index), data: { ...at(index).data, ...(isFlipped ? { '': 1 } : {}) } };
        const found = await differenceIn({ eventStore: changed((all) => all.splice(index, 1, event)) });
        expect(found).toBe(
          isFlipped ? `changed: event ${index + 1}, ${named(event)}, is not the one of the tree` : null,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('is found where a key is missing that no event has ended', async () => {
    const sent = events.filter(({ type }) => type === 'MessageSent')[7] ?? fail();
    const contentKeys = override(annals.app.get<ContentKeys>(CONTENT_KEYS), {
      getMany: async (ids) => {
        const found = new Map(await parts.contentKeys.getMany(ids));
        found.delete(sent.id);
        return found;
      },
    });
    expect(await differenceIn({ contentKeys })).toBe(
      `the key ${sent.id} of ${named(sent)} is missing, and no event tells that it was destroyed`,
    );
  });

  it('is found where the key of a month that has not ended is missing', async () => {
    const month = monthKeyId('', Date.now());
    const holds = ({ metadata }: StoredEvent) => metadata.address?.keyId.endsWith(month) === true;
    const first = events.find(holds) ?? fail();
    const lost = first.metadata.address?.keyId ?? fail();
    const contentKeys = override(annals.app.get<ContentKeys>(CONTENT_KEYS), {
      getMany: async (ids) => parts.contentKeys.getMany(ids.filter((id) => id !== lost)),
      missing: async (ids) => ids.filter((id) => id === lost),
    });
    for (const opensContent of [true, false])
      expect(await differenceIn({ contentKeys, opensContent })).toBe(
        `the key ${lost} of ${named(first)} is missing, and no event tells that it was destroyed`,
      );
  });

  it('is found where a key is another, if content is opened', async () => {
    const sent = events.filter(({ type }) => type === 'MessageSent')[7] ?? fail();
    const keysWith = (key: Uint8Array) =>
      override(annals.app.get<ContentKeys>(CONTENT_KEYS), {
        getMany: async (ids) => new Map(await parts.contentKeys.getMany(ids)).set(sent.id, key),
        missing: async (ids) => [
          ...(await parts.contentKeys.missing(ids)),
          ...ids.filter((id) => id === sent.id && key.length < 32),
        ],
      });
    const fault = `the key ${sent.id} does not open ${named(sent)}: it is changed`;
    const [other, short] = [keysWith(Buffer.alloc(32, 1)), keysWith(Buffer.alloc(31, 1))];
    expect(await differenceIn({ contentKeys: other })).toBe(fault);
    expect(await differenceIn({ contentKeys: other, opensContent: false })).toBeNull();
    expect(await differenceIn({ contentKeys: short, opensContent: false })).toBe(fault);
  });

  it('is found where it contradicts a checkpoint that was kept', async () => {
    const { root = '' } = (await parts.tree.head()) ?? {};
    expect(await differenceIn({}, [{ size: events.length, root }])).toBeNull();
    expect(await differenceIn({}, [{ size: 200, root }])).toBe(
      'the log contradicts the checkpoint of 200 events in kept: it was changed since, or is another',
    );
    expect(await differenceIn({}, [{ size: 9999, root }])).toMatch(/events are lost/);
  });

  it('is found where a tile of any level is changed', async () => {
    const database = await annals.app.get<DocumentStore>(DOCUMENT_STORE).database(TREE_DATABASE);
    const tiles = database.collection<TileDocument>(TILES);
    for (const [path, fault] of [
      ['tile/entries/000', /^tile\/entries\/000 of the tree does not have the leaves of its hashes$/],
      ['tile/0/000', /^tile\/0\/000 of the tree does not have the hashes of its leaves$/],
      ['tile/1/000', /^tile\/1\/000\.p\/1 of the tree does not have the roots of the tiles below it$/],
    ] as const) {
      const right = (await tiles.findOne({ _id: path })) ?? fail();
      const bytes = Buffer.from(right.bytes, 'base64');
      bytes[10] = (bytes[10] ?? 0) ^ 1;
      await tiles.replaceOne({ _id: path }, { ...right, bytes: bytes.toString('base64') });
      expect(await differenceIn()).toMatch(fault);
      await tiles.replaceOne({ _id: path }, right);
    }
    await database.close();
    expect(await differenceIn()).toBeNull();
  });

  it('goes on from a state that was kept', async () => {
    const head = (await parts.tree.head()) ?? fail();
    const first = new VerifiedLog();
    first.add(await verifyChunk({ from: 0, to: CHUNK }, parts), CHUNK);
    const second = VerifiedLog.from(JSON.parse(JSON.stringify(first.state)));
    expect(second.events).toBe(CHUNK);
    second.add(await verifyChunk({ from: CHUNK, to: head.size }, parts), head.size);
    await second.end(head, parts, []);
    expect(second.events).toBe(head.size);
  });

  it('is verified by the command beside the server', async () => {
    const words = ['verify', '--data-dir', engines.dataDirectory];
    const right = await run(words, engines.environment);
    expect(right).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/The log is right: \d+ events, root .{43}=, \d+ checkpoints/),
    });
    const note = (await (await fetch(`${annals.url}/transparency/checkpoint`)).text()) as string;
    const kept = join(engines.dataDirectory, 'kept');
    await writeFile(kept, `${note}${note}`);
    expect((await run([...words, '--open', '--checkpoint', kept], engines.environment)).stdout).toMatch(
      /, \d+ checkpoints/,
    );
    const noted = join(engines.dataDirectory, 'checkpoints');
    await annals.restart();
    expect((await readFile(noted, 'utf8')).length).toBeGreaterThan(100);
    const counts = [words, [...words, '--checkpoints-file', join(engines.dataDirectory, 'none')]].map(async (asked) => {
      const { stdout } = await run(asked, engines.environment);
      return Number(/, (\d+) checkpoints/.exec(stdout)?.[1]);
    });
    const [withFile = 0, without = 0] = await Promise.all(counts);
    expect(withFile).toBeGreaterThan(without);
    await writeFile(kept, note.replace(/^\d+$/m, '100'));
    expect(await run([...words, '--checkpoint', kept], engines.environment)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is not signed with the key of the log'),
    });
  });
});

function fail(): never {
  throw new Error('it is not there');
}
