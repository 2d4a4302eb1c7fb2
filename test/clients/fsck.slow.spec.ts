import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENT_STORE, type DocumentStore } from '../../src/platform/documents/document-store.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/log/event-store.js';
import { PublishedTree } from '../../src/platform/transparency/published-tree.js';
import type { HeadDocument } from '../../src/platform/transparency/tree.documents.js';
import { HEADS, TILES, type TileDocument, TREE_DATABASE } from '../../src/platform/transparency/tree.documents.js';
import { goProgram } from '../support/outside/go.js';
import { Annals } from '../support/servers/annals.js';

const fsck = await goProgram('github.com/transparency-dev/tessera/cmd/fsck@v1.0.4');
const ENDS_WITHIN_MS = 60_000;

// It ends with 0 after most failures, and waits for ever after some.
(fsck ? describe : describe.skip)('the log of a server, checked by a program of others', () => {
  let annals: Annals;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_SITE: 'https://chat.example.org' });
    const owner = await annals.owner();
    for (let n = 0; n < 300; n++)
      await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: `message ${n}` });
    const head = await annals.app.get<EventStore>(EVENT_STORE).head();
    await annals.app.get(PublishedTree).reach(head, 60_000);
  });
  afterAll(() => annals.stop());

  async function said(): Promise<string> {
    const { verifier } = (await annals.app.get(PublishedTree).head()) as HeadDocument;
    const keyFile = join(annals.dataDirectory, 'verifier-key');
    await writeFile(keyFile, verifier ?? '');
    const words = ['-storage_url', `${annals.url}/transparency/`, '-public_key', keyFile, '-ui=false', '-N', '64'];
    const { stderr } = await promisify(execFile)(fsck ?? '', words, { timeout: ENDS_WITHIN_MS });
    return stderr;
  }

  it('is found right, before and after a restart and a rebuild', async () => {
    expect(await said()).toMatch(/Successfully fsck'd log with size 3\d\d/);
    await annals.restart(() => annals.removeDocuments());
    const head = await annals.app.get<EventStore>(EVENT_STORE).head();
    await annals.app.get(PublishedTree).reach(head, 60_000);
    expect(await said()).toMatch(/Successfully fsck'd log with size 3\d\d/);
  });

  it('is found wrong where a tile or the checkpoint is', async () => {
    const database = await annals.app.get<DocumentStore>(DOCUMENT_STORE).database(TREE_DATABASE);
    const tiles = database.collection<TileDocument>(TILES);
    const right = (await tiles.findOne({ _id: 'tile/entries/000' })) as TileDocument;
    const bytes = Buffer.from(right.bytes, 'base64');
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await tiles.replaceOne({ _id: right._id }, { ...right, bytes: bytes.toString('base64') });
    expect(await said()).toMatch(/fsck failed: failed: tile\//);
    await tiles.replaceOne({ _id: right._id }, right);

    const heads = database.collection<HeadDocument>(HEADS);
    const head = (await heads.findOne({ _id: 'head' })) as HeadDocument;
    await heads.replaceOne(
      { _id: 'head' },
      { ...head, note: head.note?.replace(/^\d+$/m, String(head.size - 1)) ?? null },
    );
    expect(await said()).toContain('failed to fetch and verify checkpoint');
    await heads.replaceOne({ _id: 'head' }, head);
    await database.close();
    expect(await said()).toContain("Successfully fsck'd");
  });
});
