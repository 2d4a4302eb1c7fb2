import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { eventRegistry } from '../../events/event-registry.js';
import { hasWords } from '../../features/audit/domain/who-has-words.js';
import type { ContentKey } from '../../platform/content-keys/content-keys.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { EventCodec, NO_KEYS } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { canonicalEvent } from '../../platform/transparency/leaf.js';
import { Proofs, withContentKey } from '../../platform/transparency/proofs.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { entriesIn } from '../../platform/transparency/tiled-tree.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { UsageError } from './failure.js';
import { LogCursor, pagesUpTo } from './log-cursor.js';
import { eventsOfMessage } from './message-events.js';
import { inOrganization } from './open-organization.js';
import { writeText } from './text.js';

/** Options as typed. */
export interface ProveOptions {
  readonly event?: string;
  readonly message?: number;
  readonly all?: true;
  /** Whether the proofs have the keys of content. The command is in the log before. */
  readonly words?: true;
  readonly output?: string;
}

/** @throws UsageError unless something is to be proved */
export function checkProveOptions({ event, message, all }: ProveOptions): void {
  if (event === undefined && message === undefined && !all)
    throw new UsageError('what is to be proved? Give --event, --message or --all');
}

/** @param output gets the proofs unless the options name a file */
export async function runProve(settings: EngineSettings, options: ProveOptions, output: Writable): Promise<void> {
  const { all } = options;
  checkProveOptions(options);
  await inOrganization({ ...settings, readOnly: true }, async (engines) => {
    if (!(await engines.documentStore.databases()).includes(TREE_DATABASE)) throw noTree();
    const tree = await PublishedTree.open(engines.documentStore);
    const file = options.output === undefined ? output : createWriteStream(options.output, { mode: 0o600 });
    try {
      if (all) await writeLog(engines.eventStore, tree, file);
      else {
        const events = await wanted(engines, options);
        await writeProofs(events, options.words ? await keysFor(events, engines) : [], tree, file);
      }
    } finally {
      if (file !== output) await finished(file.end());
      await tree.onApplicationShutdown();
    }
  });
}

async function wanted({ eventStore }: Engines, { event, message }: ProveOptions): Promise<readonly StoredEvent[]> {
  if (message === undefined) return [await eventWith(event ?? '', eventStore)];
  const found: StoredEvent[] = [];
  for await (const { stream, revision } of eventsOfMessage(eventStore, new EventCodec(NO_KEYS, eventRegistry), message))
    found.push(...(await eventStore.readStream(stream, { from: revision, limit: 1 })));
  if (found.length === 0) throw new Error(`there is no message ${message}`);
  return found;
}

async function eventWith(id: string, log: EventStore): Promise<StoredEvent> {
  for await (const page of pagesUpTo(log, await log.head())) {
    const found = page.find((event) => event.id === id);
    if (found) return found;
  }
  throw new Error(`the log has no event ${id}`);
}

/** The keys of the content that operators may read in the audit, too. */
async function keysFor(
  events: readonly StoredEvent[],
  { contentKeys }: Engines,
): Promise<readonly (ContentKey | null)[]> {
  const codec = new EventCodec(contentKeys, eventRegistry);
  const keys = await codec.keysOfEvents(events);
  return codec.decodeWithoutContent(events).map((event, at) => (hasWords(null, event) ? (keys[at] ?? null) : null));
}

/** @param keys of content, by event; absent: a proof has none */
async function writeProofs(
  events: readonly StoredEvent[],
  keys: readonly (ContentKey | null)[],
  tree: PublishedTree,
  file: Writable,
): Promise<void> {
  const last = events.at(-1);
  if (!last) return;
  const made = await Proofs.upTo(last.position, await headOf(tree), tree);
  const proofs = [];
  for (const [at, event] of events.entries()) {
    const [proof, key] = [await made.of(event, eventRegistry.get(event.type)?.secrets ?? []), keys[at]];
    proofs.push(key ? withContentKey(proof, key) : proof);
  }
  await writeText(file, `${JSON.stringify({ proofs }, null, 2)}\n`);
}

/** Writes the checkpoint, the leaves as the tree has them, then the events as the log has them: JSON, one value a line. */
async function writeLog(log: EventStore, tree: PublishedTree, file: Writable): Promise<void> {
  const head = await headOf(tree);
  const { size } = head;
  const cosigned = await tree.cosignedWith(head.position, head);
  const note = cosigned?.note ?? head.note;
  await writeText(file, `${JSON.stringify({ format: 'annals-log', checkpoint: note })}\n`);
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const path = tilePath({ level: 'entries', index, width });
    const entries = await tree.tiles.read(path);
    if (entries === null) throw new Error(`the tree has no ${path}: delete its documents, they are built anew`);
    await writeText(file, `${JSON.stringify({ leaves: entriesIn(entries).map((leaf) => leaf.toString('base64')) })}\n`);
  }
  const events = new LogCursor(log, await log.head());
  for (let written = 0; written < size; written++) {
    const event = await events.next();
    if (!event) throw new Error(`the log has ${written} events, and its checkpoint ${size}`);
    await writeText(file, `${canonicalEvent(event)}\n`);
  }
}

async function headOf(tree: PublishedTree): Promise<HeadDocument> {
  const head = await tree.head();
  if (!head?.note) throw noTree();
  return head;
}

const noTree = (): Error => new Error('there is no signed checkpoint of the log yet: a server makes it');
