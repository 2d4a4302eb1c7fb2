import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { leafOf } from '../../../src/platform/transparency/leaf.js';
import { GrowingTree, leafHash, treeRoot } from '../../../src/platform/transparency/merkle.js';
import { Proofs } from '../../../src/platform/transparency/proofs.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { NoteVerifier, parseCheckpoint, parseNote } from '../../../src/platform/transparency/signed-note.js';
import { PublishedSubtrees } from '../../../src/platform/transparency/stored-tiles.js';
import { tilePath } from '../../../src/platform/transparency/tile-paths.js';
import { TiledTree } from '../../../src/platform/transparency/tiled-tree.js';
import { eventually } from '../../support/eventually.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('the published tree of the log', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_SITE: 'https://chat.example.org' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const get = async (path: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> => {
    const answer = await fetch(`${annals.url}/transparency/${path}`);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const send = (topic: string) =>
    owner.api.post('/messages', { type: 'stream', to: 'general', topic, content: 'words' });
  const logged = async () =>
    (await annals.app.get<EventStore>(EVENT_STORE).readAll({ after: START, limit: 10_000 })).events;
  const verifierKey = async (): Promise<NoteVerifier> =>
    NoteVerifier.parse((await annals.app.get(PublishedTree).head())?.verifier ?? '');
  /** The checkpoint of the whole log. Its signature is checked. */
  const checkpoint = async () => {
    const events = await logged();
    const note = await eventually(async () => {
      const { bytes } = await get('checkpoint');
      if (parseCheckpoint(bytes.toString()).size !== events.length) throw new Error('the tree is behind');
      return parseNote(bytes.toString());
    });
    expect((await verifierKey()).signedAt(note)).toBe(0);
    const tree = new GrowingTree();
    for (const event of events) tree.add(leafOf(event).data);
    const read = parseCheckpoint(note.text);
    expect(read).toEqual({ origin: 'chat.example.org/transparency', size: events.length, root: tree.root });
    return read;
  };

  it('serves the program that checks proofs, with its digest', async () => {
    const { status, headers, bytes } = await get('verify.mjs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    const file = await readFile(join(ROOT, 'bin/verify.mjs'));
    expect(bytes.equals(file)).toBe(true);
    const digest = createHash('sha256').update(file).digest('base64');
    expect(headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'bin/verify.mjs'), '--help']);
    expect(stdout).toMatch(/^Usage: node verify\.mjs FILE --key KEY/);
  });

  it('has every event as a leaf, under a signed checkpoint that needs no login', async () => {
    await send('one');
    const { size } = await checkpoint();
    const { status, headers } = await get('checkpoint');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    const entries = await get(tilePath({ level: 'entries', index: 0, width: size }));
    expect(entries.headers.get('content-type')).toBe('application/octet-stream');
    expect(entries.headers.get('cache-control')).toContain('immutable');
    expect(entries.bytes).toHaveLength(34 * size);
    const events = await logged();
    expect(entries.bytes.subarray(2, 34)).toEqual(leafOf(events[0] ?? fail()).data);
    const hashes = await get(tilePath({ level: 0, index: 0, width: size }));
    expect(hashes.bytes.subarray(-32)).toEqual(leafHash(leafOf(events.at(-1) ?? fail()).data));
  });

  it('answers every smaller tile of an earlier checkpoint, and none beyond the newest', async () => {
    await send('two');
    const { size } = await checkpoint();
    for (const width of [1, 3, size - 1]) expect((await get(`tile/0/000.p/${width}`)).bytes).toHaveLength(32 * width);
    for (const path of [
      `tile/0/000.p/${size + 1}`,
      'tile/0/000',
      'tile/1/000.p/1',
      'tile/0/001',
      'tile/64/000',
      'tile/0/0',
      'tile/x',
    ])
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 });
  });

  it('goes on after a restart, and past full tiles', async () => {
    for (let n = 0; n < 130; n++) await send(`topic ${n}`);
    const before = await checkpoint();
    await annals.restart();
    await send('after the restart');
    for (let n = 0; n < 150; n++) await send(`topic ${n}`);
    const { size, root } = await checkpoint();
    expect(size).toBeGreaterThan(before.size + 150);
    expect((await get('tile/0/000')).bytes).toHaveLength(8192);
    expect((await get('tile/1/000.p/1')).bytes).toHaveLength(32);
    const published = annals.app.get(PublishedTree);
    const tree = await TiledTree.open(published.tiles, size);
    expect(await treeRoot(size, tree)).toEqual(root);
    expect(await treeRoot(before.size, tree)).toEqual(before.root);
  });

  it('knows the leaf of each position', async () => {
    const events = await logged();
    await checkpoint();
    const published = annals.app.get(PublishedTree);
    for (const index of [0, 1, 255, 256, events.length - 1]) {
      const leaves = await published.leavesAround(events[index]?.position ?? -1);
      expect([leaves?._id, leaves?.positions[index % 256]]).toEqual([Math.floor(index / 256), events[index]?.position]);
    }
    expect(await published.leavesAround(-1)).toBeNull();
  });

  it('reads no part of the tree twice for the proofs of many events', async () => {
    const events = await logged();
    const published = annals.app.get(PublishedTree);
    const head = await published.reach(events.at(-1)?.position ?? 0, 5000);
    const read: unknown[] = [];
    const { leavesAround, tiles } = published;
    const counted = Proofs.under(head, {
      leavesAround: (position) => {
        read.push(position);
        return leavesAround.call(published, position);
      },
      subtrees: new PublishedSubtrees({
        whole: (place) => {
          read.push(`${place.level}/${place.index}`);
          return tiles.whole(place);
        },
      }),
    });
    const subtrees = await TiledTree.open(tiles, head.size);
    const alone = Proofs.under(head, { leavesAround: leavesAround.bind(published), subtrees });
    for (const event of [...events].reverse()) expect(await counted.of(event, [])).toEqual(await alone.of(event, []));
    expect(events.length).toBeGreaterThan(256);
    expect(new Set(read).size).toBe(read.length);
    // Positions: once for each 256 leaves.
    expect(read.filter((one) => typeof one === 'number')).toHaveLength(Math.ceil(events.length / 256));
  });

  it('is the same after its documents are lost, signed with the same key', async () => {
    const before = await checkpoint();
    const key = String(await verifierKey());
    await annals.restart(() => annals.removeDocuments());
    expect(await checkpoint()).toEqual(before);
    expect(String(await verifierKey())).toBe(key);
  });
});

describe('a tree that is not published', () => {
  it('is kept, and not answered', async () => {
    const annals = await Annals.start({ ANNALS_TRANSPARENCY: 'false' });
    try {
      await eventually(async () => expect((await annals.app.get(PublishedTree).head())?.size).toBeGreaterThan(3));
      for (const path of ['checkpoint', 'tile/0/000.p/1'])
        expect((await fetch(`${annals.url}/transparency/${path}`)).status).toBe(404);
    } finally {
      await annals.stop();
    }
  });
});

function fail(): never {
  throw new Error('there is no event');
}
