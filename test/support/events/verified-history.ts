import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownCheckpoints } from '../../../src/app/verify/known-checkpoints.js';
import { type Noted, NotRight, VerifiedLog } from '../../../src/app/verify/verified-log.js';
import { verifyChunk } from '../../../src/app/verify/verify-chunk.js';
import { type ContentKey, KEY_BYTES } from '../../../src/platform/content-keys/content-keys.js';
import { addressesOf, monthKeyId } from '../../../src/platform/content-keys/month-key.js';
import { newContentKey, type Sealed, seal, sealFor, unsealFor } from '../../../src/platform/content-keys/seal.js';
import type { DocumentDatabase, StoredDocument } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { START } from '../../../src/platform/kernel/position.js';
import type { Batch, EventText, ReadAllOptions, StoredEvent } from '../../../src/platform/log/event-store.js';
import {
  CHECKPOINTS_DATABASE,
  checkpointCollections,
  NOTED,
  type NotedDocument,
  notedId,
  SIGNED,
  type SignedDocument,
} from '../../../src/platform/transparency/checkpoint.documents.js';
import { canonicalEvent, leafOf } from '../../../src/platform/transparency/leaf.js';
import { treeRoot } from '../../../src/platform/transparency/merkle.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { checkpointText, NoteSigner } from '../../../src/platform/transparency/signed-note.js';
import { tileDocuments } from '../../../src/platform/transparency/stored-tiles.js';
import { TILE_WIDTH } from '../../../src/platform/transparency/tile-paths.js';
import { TiledTree } from '../../../src/platform/transparency/tiled-tree.js';
import {
  HEADS,
  LEAVES,
  TILES,
  TREE_DATABASE,
  treeCollections,
} from '../../../src/platform/transparency/tree.documents.js';

const HISTORY = fileURLToPath(new URL('../../history/', import.meta.url));

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Events and keys of every recorded version, as if one log had them. Some of the keys that seal addresses have ended. */
export function recordedLog(): {
  readonly events: readonly StoredEvent[];
  readonly keys: ReadonlyMap<string, ContentKey>;
} {
  const events: StoredEvent[] = [];
  const keys = new Map<string, ContentKey>();
  const versions = readdirSync(HISTORY, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const [n, { name }] of versions.entries()) {
    // Some ids are derived, and are the same in each version.
    const read = (file: string): string =>
      readFileSync(join(HISTORY, name, file), 'utf8').replace(UUID, (id) => `${n}${id.slice(1)}`);
    const written: Record<string, string> = JSON.parse(read('keys.json'));
    for (const [id, key] of Object.entries(written)) keys.set(id, Buffer.from(key, 'base64'));
    const before = readFileSync(join(HISTORY, name, 'log.jsonl'), 'utf8').split('\n');
    const lines = read('log.jsonl').trimEnd().split('\n');
    for (const [line, text] of lines.entries()) {
      const at = events.length;
      const event = sealedAnew(JSON.parse(text), JSON.parse(before[line] ?? ''), keys, at % 2 === 0);
      const metadata = { ...event.metadata, ...(at % 3 === 0 ? { address: sealedAddress(at, keys) } : {}) };
      events.push({ ...event, metadata, stream: `${event.stream}-${name}`, position: at * 10 + 10 });
    }
  }
  return { events, keys };
}

/**
 * Seals content for the new id of its event, if it was sealed for its id.
 * @param commits commits older events to their content, too
 */
function sealedAnew(
  event: StoredEvent,
  before: StoredEvent,
  keys: ReadonlyMap<string, ContentKey>,
  commits: boolean,
): StoredEvent {
  const data = Object.entries(event.data).map(([name, value]) => {
    const sealed = (value ?? {}) as Partial<Sealed>;
    const key = sealed.box === undefined ? undefined : keys.get(sealed.keyId ?? '');
    if (!key || (sealed.keyTag === undefined && !commits)) return [name, value];
    const content = unsealFor(before.id, value as Sealed, key);
    return [name, { ...sealFor(event.id, content, sealed.keyId ?? '', key) }];
  });
  return { ...event, data: Object.fromEntries(data) };
}

/** Seals an address as requests of a few accounts in a few months have it. The keys of the first month have ended. */
function sealedAddress(at: number, keys: Map<string, ContentKey>): Sealed {
  const month = Math.floor(at / 60) % 4;
  const keyId = monthKeyId(addressesOf((at % 5) + 1), Date.UTC(2026, month));
  const key = keys.get(keyId) ?? newContentKey();
  if (month > 0) keys.set(keyId, key);
  return seal('192.0.2.1', keyId, key);
}

export const SIGNER = new NoteSigner('chat.example.org/transparency', Buffer.alloc(32, 7));

/** The documents of a database by collection and id. */
export type Documents = Readonly<Record<string, readonly StoredDocument[]>>;

/** A note of a checkpoint. */
export interface SignedSize {
  readonly size: number;
  readonly root: string;
  readonly note: string;
}

/** What `annals verify` compares. */
export interface Verified {
  readonly events: readonly StoredEvent[];
  readonly keys: ReadonlyMap<string, ContentKey>;
  readonly tree: Documents;
  readonly checkpoints: Documents;
  /** The file that the server notes checkpoints in. */
  readonly file: string;
  /** A file of checkpoints that was kept elsewhere. */
  readonly kept: string;
}

/** Signs the checkpoints of a log at some sizes, and makes the documents of its tree. */
export async function treeOf(
  events: readonly StoredEvent[],
  sizes: readonly number[],
  signer = SIGNER,
): Promise<{ readonly tree: Documents; readonly notes: readonly SignedSize[] }> {
  const tree = await TiledTree.open({ read: async () => null }, 0);
  const notes: SignedSize[] = [];
  for (const [n, event] of events.entries()) {
    tree.add(leafOf(event).data);
    const size = n + 1;
    if (!sizes.includes(size) && size < events.length) continue;
    const root = await treeRoot(size, tree);
    const note = signer.sign(checkpointText({ origin: signer.name, size, root }));
    notes.push({ size, root: root.toString('base64'), note });
  }
  const leaves = Array.from({ length: Math.ceil(events.length / TILE_WIDTH) }, (_, _id) => {
    const positions = events.slice(_id * TILE_WIDTH, (_id + 1) * TILE_WIDTH).map(({ position }) => position);
    return { _id, first: positions[0] ?? START, positions };
  });
  const position = events.at(-1)?.position ?? START;
  const head = { _id: 'head', ...notes.at(-1), position, verifier: String(signer.verifier) };
  return { tree: { [TILES]: tileDocuments(tree.takeUnsaved()), [LEAVES]: leaves, [HEADS]: [head] }, notes };
}

/** The documents of noted checkpoints. */
export function notedDocuments(notes: readonly SignedSize[], signer = SIGNER): Documents {
  const verifier = String(signer.verifier);
  const noted: NotedDocument[] = notes.map((note) => ({
    _id: notedId(verifier, note.size),
    verifier,
    at: 1,
    ...note,
  }));
  const signed: SignedDocument[] = notes.slice(-1).map(({ size, root }) => ({ _id: verifier, size, root }));
  return { [NOTED]: noted, [SIGNED]: signed };
}

export const notedFile = (notes: readonly SignedSize[]): string => notes.map(({ note }) => `${note}\n`).join('');

/** Looks at a log as `annals verify` does, in one process, with documents that are changed and changed back. */
export class VerifyBench {
  private differences = 0;

  private constructor(
    private readonly folder: string,
    private readonly store: SqliteDocumentStore,
    private readonly databases: { readonly tree: DocumentDatabase; readonly checkpoints: DocumentDatabase },
    private readonly published: PublishedTree,
    private stored: Verified,
  ) {}

  static async open(folder: string, right: Verified): Promise<VerifyBench> {
    const store = await SqliteDocumentStore.open(folder);
    const tree = await store.database(TREE_DATABASE);
    await tree.ensure(treeCollections);
    const checkpoints = await store.database(CHECKPOINTS_DATABASE);
    await checkpoints.ensure(checkpointCollections);
    const nothing = { events: [], keys: new Map(), tree: {}, checkpoints: {}, file: '', kept: '' };
    const published = await PublishedTree.open(store);
    const bench = new VerifyBench(folder, store, { tree, checkpoints }, published, nothing);
    await bench.put(right);
    return bench;
  }

  /**
   * Every second log has an engine that keeps no texts.
   * @param chunk number of events that are compared at once
   * @returns the first difference; null: all is right
   */
  async difference(looked: Verified, chunk: number): Promise<string | null> {
    await this.put(looked);
    const tree = this.published;
    const readAll = async (options: ReadAllOptions) => pageOf(looked.events, options);
    const readTexts = async (options: ReadAllOptions) => textsIn(looked.events, options);
    this.differences += 1;
    const eventStore = this.differences % 2 === 0 ? { readAll } : { readAll, readTexts };
    const contentKeys = {
      getMany: async (ids: readonly string[]) => keysNamed(looked.keys, ids),
      missing: async (ids: readonly string[]) => ids.filter((id) => looked.keys.get(id)?.length !== KEY_BYTES),
    };
    try {
      const head = await tree.head();
      if (head === null) throw new Error('there is no tree');
      const places = { notedIn: join(this.folder, 'noted'), checkpoint: [join(this.folder, 'kept')] };
      const noted: readonly Noted[] = await knownCheckpoints(head, this.store, places);
      let log = new VerifiedLog();
      for (let from = 0; from < head.size; from += chunk) {
        const to = Math.min(from + chunk, head.size);
        log.add(await verifyChunk({ from, to }, { eventStore, contentKeys, tree, opensContent: true }), to);
        log = VerifiedLog.from(JSON.parse(JSON.stringify(log.state)));
      }
      await log.end(head, { tree, eventStore, contentKeys }, noted);
      return null;
    } catch (error) {
      if (error instanceof NotRight) return error.message;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.published.onApplicationShutdown();
    await this.store.close();
  }

  private async put(next: Verified): Promise<void> {
    const { stored, folder } = this;
    for (const name of ['tree', 'checkpoints'] as const) {
      const writes = changes(stored[name], next[name]);
      if (writes.length > 0) await this.databases[name].write({ writes });
    }
    if (stored.file !== next.file) await writeFile(join(folder, 'noted'), next.file);
    if (stored.kept !== next.kept) await writeFile(join(folder, 'kept'), next.kept);
    this.stored = next;
  }
}

/** Documents that are the same objects are not written. */
function changes(from: Documents, to: Documents) {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((collection) => {
    const [old, wanted] = [from[collection] ?? [], to[collection] ?? []];
    if (old === wanted) return [];
    const [before, after] = [new Set(old), new Set(wanted.map(({ _id }) => _id))];
    const operations = [
      ...old.filter(({ _id }) => !after.has(_id)).map(({ _id }) => ({ deleteOne: { filter: { _id } } })),
      ...wanted
        .filter((document) => !before.has(document))
        .map((replacement) => ({ replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } })),
    ];
    return operations.length > 0 ? [{ collection, operations }] : [];
  });
}

function pageOf(events: readonly StoredEvent[], { after, limit }: ReadAllOptions): Batch {
  const rest = events.filter(({ position }) => position > after);
  const page = rest.slice(0, limit);
  return { events: page, position: page.at(-1)?.position ?? after, caughtUp: page.length === rest.length };
}

const textsIn = (events: readonly StoredEvent[], options: ReadAllOptions): EventText[] =>
  pageOf(events, options).events.map((event) => ({ position: event.position, text: canonicalEvent(event) }));

const keysNamed = (keys: ReadonlyMap<string, ContentKey>, ids: readonly string[]): Map<string, ContentKey> =>
  new Map(
    ids.flatMap((id) => {
      const key = keys.get(id);
      return key ? [[id, key] as const] : [];
    }),
  );
