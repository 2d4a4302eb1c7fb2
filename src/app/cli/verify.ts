import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import {
  CHECKPOINTS_DATABASE,
  NOTED,
  type NotedDocument,
  SIGNED,
  type SignedDocument,
} from '../../platform/transparency/checkpoint.documents.js';
import { parseCheckpoint } from '../../platform/transparency/checkpoint.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { NoteVerifier, parseNote, type SignedNote } from '../../platform/transparency/signed-note.js';
import { TILE_WIDTH } from '../../platform/transparency/tile-paths.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { ChunkThreads } from '../verify/chunk-threads.js';
import { type Noted, NotRight, VerifiedLog } from '../verify/verified-log.js';
import type { Chunk } from '../verify/verify-chunk.js';
import { WorkReport } from './build-report.js';
import { openOrganization } from './open-organization.js';
import { stopAsked } from './stop-signals.js';

/** Options as typed. */
export interface VerifyOptions {
  readonly checkpoint?: readonly string[];
  readonly state?: string;
  /** File that the server notes checkpoints in. */
  readonly notedIn: string;
}

const CHUNK = 16 * TILE_WIDTH;
const MOST_THREADS = 4;
/** Milliseconds between two notes of how far it is. */
const KEEP_EVERY_MS = 10_000;
/** Noted checkpoints that are read at once. */
const PAGE = 1000;

/** @throws NotRight naming the first difference */
export async function runVerify(settings: EngineSettings, options: VerifyOptions): Promise<void> {
  const engines = await openOrganization({ ...settings, readOnly: true });
  const threads = new ChunkThreads(Math.min(availableParallelism(), MOST_THREADS), settings);
  try {
    if (!(await engines.documentStore.databases()).includes(TREE_DATABASE)) throw noTree();
    const tree = await PublishedTree.open(engines.documentStore);
    try {
      await verifyLog(tree, threads, engines.documentStore, options);
    } finally {
      await tree.onApplicationShutdown();
    }
  } finally {
    await threads.close();
    await engines.close();
  }
}

async function verifyLog(
  tree: PublishedTree,
  threads: ChunkThreads,
  store: DocumentStore,
  options: VerifyOptions,
): Promise<void> {
  const head = await tree.head();
  if (head === null) throw noTree();
  const noted = [
    ...newestIn(head),
    ...(await notedBefore(head, store, options)),
    ...(await checkpointsIn(options.checkpoint ?? [], head)),
  ];
  const state = new StateFile(options.state ?? null);
  const log = await state.read();
  const stop = stopped();
  const report = new WorkReport(process.stdout);
  const [startedAt, before] = [performance.now(), log.events];
  let keptAt = startedAt;
  const speed = (): number => ((log.events - before) * 1000) / (performance.now() - startedAt);
  try {
    await threads.compare(chunksOf(log.events, head.size), async (found, { to }) => {
      log.add(found, to);
      const secondsLeft = (head.size - to) / speed();
      report.update({ what: 'Verifying', done: to, total: head.size, eventsPerSecond: speed(), secondsLeft });
      if (stop.asked || performance.now() - keptAt > KEEP_EVERY_MS) {
        await state.write(log);
        keptAt = performance.now();
      }
      if (stop.asked) throw new Error(`stopped after ${number(to)} of ${number(head.size)} events`);
    });
    await log.end(head, tree, noted);
  } finally {
    report.end();
  }
  await state.remove();
  process.stdout.write(
    `The log is right: ${number(head.size)} events, root ${head.root}, ${noted.length} checkpoints; ${number(Math.round(speed()))} events a second.\n`,
  );
}

function* chunksOf(from: number, size: number): Generator<Chunk> {
  for (let at = from; at < size; at += CHUNK) yield { from: at, to: Math.min(at + CHUNK, size) };
}

/** @throws NotRight if the head's own checkpoint says something else */
function newestIn({ note, verifier, size, root }: HeadDocument): readonly Noted[] {
  if (note === null || verifier === null) return [];
  const signed = parseNote(note);
  if (NoteVerifier.parse(verifier).signedAt(signed) === null)
    throw new NotRight('the newest checkpoint is not signed with the key of the log');
  const said = checkpointOf(signed, 'the newest checkpoint');
  if (said.size !== size || said.root !== root)
    throw new NotRight(`the newest checkpoint (${said.size} events) is not that of the tree (${size})`);
  return [said];
}

/** The checkpoints that the server has noted, in documents and in its file, of the key that it signs with. */
async function notedBefore(
  head: HeadDocument,
  store: DocumentStore,
  { notedIn }: VerifyOptions,
): Promise<readonly Noted[]> {
  if (head.verifier === null) return [];
  const key = NoteVerifier.parse(head.verifier);
  const inFile = existsSync(notedIn) ? notesIn(await readFile(notedIn, 'utf8')) : [];
  const signed = inFile.filter((note) => key.signedAt(note) !== null).map((note) => checkpointOf(note, notedIn));
  return [...(await notedInDocuments(head.verifier, store)), ...signed];
}

async function notedInDocuments(verifier: string, store: DocumentStore): Promise<readonly Noted[]> {
  if (!(await store.databases()).includes(CHECKPOINTS_DATABASE)) return [];
  const database = await store.database(CHECKPOINTS_DATABASE);
  try {
    const where = 'the documents of checkpoints';
    const found: Noted[] = [];
    for (let after = 0; ; ) {
      const page = await database
        .collection<NotedDocument>(NOTED)
        .find({ verifier, size: { $gt: after } }, { sort: { size: 1 }, limit: PAGE });
      found.push(...page.map(({ size, root }) => ({ size, root, where })));
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last.size;
    }
    const signed = await database.collection<SignedDocument>(SIGNED).findOne({ _id: verifier });
    return signed ? [...found, { size: signed.size, root: signed.root, where }] : found;
  } finally {
    await database.close();
  }
}

/** @throws NotRight for a checkpoint that the log's key has not signed */
async function checkpointsIn(files: readonly string[], { verifier }: HeadDocument): Promise<readonly Noted[]> {
  const key = verifier === null ? null : NoteVerifier.parse(verifier);
  const noted: Noted[] = [];
  for (const file of files) {
    for (const note of notesIn(await readFile(file, 'utf8'))) {
      if (key?.signedAt(note) === null)
        throw new NotRight(`a checkpoint in ${file} is not signed with the key of the log`);
      noted.push(checkpointOf(note, file));
    }
  }
  return noted;
}

const checkpointOf = ({ text }: SignedNote, where: string): Noted => {
  const { size, root } = parseCheckpoint(text);
  return { size, root: root.toString('base64'), where };
};

/** Notes that follow each other: text, an empty line, lines of signatures. */
const notesIn = (text: string): readonly SignedNote[] =>
  (text.match(/(?:[^—\n].*\n)+\n(?:— .+\n)+/g) ?? []).map((note) => parseNote(note));

function stopped(): { readonly asked: boolean } {
  const stop = { asked: false };
  void stopAsked().then(() => {
    stop.asked = true;
  });
  return stop;
}

/** How far the work is, in a file that the same command finds again. */
class StateFile {
  /** @param path null: nothing is kept */
  constructor(private readonly path: string | null) {}

  async read(): Promise<VerifiedLog> {
    if (this.path === null || !existsSync(this.path)) return new VerifiedLog();
    return VerifiedLog.from(JSON.parse(await readFile(this.path, 'utf8')));
  }

  async write(log: VerifiedLog): Promise<void> {
    if (this.path === null) return;
    await writeFile(`${this.path}.new`, JSON.stringify(log.state), { mode: 0o600, flush: true });
    await rename(`${this.path}.new`, this.path);
  }

  async remove(): Promise<void> {
    if (this.path !== null) await rm(this.path, { force: true });
  }
}

const noTree = (): Error => new Error('there is no tree of the log yet: a server makes it');

const number = (value: number): string => value.toLocaleString('en-US');
