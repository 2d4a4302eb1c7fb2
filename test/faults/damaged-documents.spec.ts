import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { damagedLine, outcomeOf } from '../../src/app/roles/damaged-documents.js';
import { type DamagedDocuments, DocumentsUnusable } from '../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { DAMAGES, type Damage } from '../support/damage.js';
import type { OwnEngines } from '../support/engines/own-engines.js';
import { run } from '../support/servers/command-line.js';
import { documentFiles, servedDocuments, warningsOf } from '../support/servers/served-documents.js';

const PAGE = 4096;
/** More bytes than a start reads through. */
const LARGE = 32 * 1024 * 1024;
const KINDS = Object.keys(DAMAGES) as readonly Damage[];

let engines: OwnEngines;
beforeEach(async () => {
  engines = await servedDocuments();
});
afterEach(() => engines.remove());

const nameOf = (path: string): string => basename(path, '.sqlite');

/** Opens the documents as their owner does. @returns what it is told */
async function foundDamaged(): Promise<readonly DamagedDocuments[]> {
  const found: DamagedDocuments[] = [];
  const store = await SqliteDocumentStore.open(engines.dataDirectory, { onDamaged: (damaged) => found.push(damaged) });
  await store.close();
  return found;
}

it('all damaged files of documents are built anew, each is named once, and answers are right', async () => {
  const files = await documentFiles(engines);
  for (const [at, path] of files.entries()) await DAMAGES[KINDS[at % KINDS.length] ?? 'text'](path);
  const warnings = await warningsOf(engines);
  expect(warnings).toHaveLength(files.length);
  for (const path of files)
    expect(
      warnings.filter((line) => line.includes(`${path} was damaged`) && line.includes(outcomeOf(nameOf(path)))),
    ).toHaveLength(1);
});

it.each(KINDS)('every file is found damaged by its owner, and by no one else removed: %s', async (kind) => {
  const files = await documentFiles(engines);
  for (const path of files) await DAMAGES[kind](path);
  const beside = await SqliteDocumentStore.open(engines.dataDirectory);
  await beside.close();
  expect(await documentFiles(engines)).toEqual(files);
  expect((await foundDamaged()).map(({ path }) => path).sort()).toEqual([...files].sort());
  expect(await documentFiles(engines)).toEqual([]);
});

it('what is lost is known for every file of documents', async () => {
  for (const path of await documentFiles(engines))
    expect([path, outcomeOf(nameOf(path))]).not.toContain(outcomeOf('strange'));
});

it('a rebuild without a server tells of damaged files, too', async () => {
  const [path = ''] = await documentFiles(engines);
  await DAMAGES.text(path);
  const { code, stdout } = await run(['rebuild'], engines.environment);
  expect(code).toBe(0);
  expect(stdout).toContain(damagedLine({ name: nameOf(path), path, reason: 'file is not a database' }));
});

it('a row that is no JSON is damage, found while it is read or at the next start', async () => {
  const path = (await documentFiles(engines)).find((one) => nameOf(one).startsWith('drafts.')) ?? '';
  const bytes = await readFile(path);
  const at = bytes.lastIndexOf('{"_id"');
  const handle = await open(path, 'r+');
  await handle.write('#', at);
  await handle.close();
  expect(await foundDamaged()).toEqual([{ name: nameOf(path), path, reason: 'a document is no JSON' }]);
});

it('damage that is found while documents are read has the next start build them anew', async () => {
  const path = (await documentFiles(engines)).find((one) => nameOf(one) === 'log-mark') ?? '';
  // No start reads through a file of this size.
  const handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(PAGE), 0, PAGE, LARGE);
  await handle.close();
  expect(await foundDamaged()).toEqual([]);
  await DAMAGES.text(path);
  const store = await SqliteDocumentStore.open(engines.dataDirectory);
  await expect(store.database('log-mark')).rejects.toThrow(DocumentsUnusable);
  await store.close();
  expect(await foundDamaged()).toMatchObject([{ name: 'log-mark', reason: 'it was found damaged while it was read' }]);
  expect(await foundDamaged()).toEqual([]);
});

it('no damaged file is removed at a start whose keys are refused', async () => {
  const files = await documentFiles(engines);
  for (const path of files) await DAMAGES.text(path);
  const opened = SqliteDocumentStore.open(engines.dataDirectory, {
    onDamaged: () => {},
    removesAfter: Promise.reject(new Error('no keys')),
  });
  await expect(opened).rejects.toThrow('no keys');
  expect(await documentFiles(engines)).toEqual(files);
});
