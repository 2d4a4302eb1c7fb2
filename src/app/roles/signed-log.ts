import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type RestoredLogAccepted, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { CommandRunner } from '../../platform/commands/command-runner.js';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import type { Engines } from '../../platform/engines/engines.js';
import { newEventId } from '../../platform/kernel/new-event-id.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { isThere } from '../../platform/log/is-there.js';
import { alarmedHead, keepSignedHead } from '../../platform/transparency/checkpoint-store.js';
import { leafOf } from '../../platform/transparency/leaf.js';
import { leafHash, treeRoot } from '../../platform/transparency/merkle.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { NoteVerifier } from '../../platform/transparency/signed-note.js';
import { TILE_WIDTH } from '../../platform/transparency/tile-paths.js';
import { TileDamaged, TiledTree } from '../../platform/transparency/tiled-tree.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import type { Chunk } from '../verify/chunk.js';
import { differenceIn, eventsOf, leavesOf, tileFault } from '../verify/verify-chunk.js';

/** Looks in a row that must find the difference: a replica that answers may be a little behind. */
const LOOKS_TO_BE_SURE = 3;
const LOOK_EVERY_MS = 1000;

/** A signed checkpoint that the log contradicts. */
interface Contradicted {
  /** The name of the log that signed it. */
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** What is wrong with the log. */
  readonly how: string;
}

export interface SignedLogOptions {
  /** Root of the checkpoint that the log may contradict, base64; null: none. */
  readonly accepted: string | null;
  /** A replica may answer for the log. */
  readonly isShared: boolean;
  /**
   * Called when a log that contradicts the checkpoint is accepted, before its tree is dropped: the tree may be the only one that had
   * seen the lost events.
   */
  readonly onContradicted: () => Promise<void>;
}

/**
 * Compares the newest events with the last signed checkpoint and its tree, in bounded time. A log that contradicts them is refused,
 * unless the operator accepts it: then the log records that, and goes on under another name (docs/proof.md).
 * @throws StartRefused, EventStoreUnavailable
 */
export async function checkSignedLog(
  { eventStore, documentStore }: Pick<Engines, 'eventStore' | 'documentStore'>,
  runner: CommandRunner,
  { accepted, isShared, onContradicted }: SignedLogOptions,
): Promise<void> {
  const known = await lastAccepted(eventStore);
  try {
    const found = await contradictedBy(eventStore, documentStore, isShared);
    if (found === null) return await acceptAlarmed();
    // Otherwise another process has accepted it, or the last start ended here.
    if (known?.root !== found.root) await accept(found);
    await onContradicted();
  } catch (error) {
    // A damaged tree says nothing about the log.
    if (!(error instanceof TileDamaged)) throw error;
  }
  // The tree is built anew. What it has signed stays known.
  await keepSignedHead(documentStore);
  await documentStore.dropDatabase(TREE_DATABASE);

  /** An earlier start may have found it only while it ran: the tree was not there to compare with. */
  async function acceptAlarmed(): Promise<void> {
    if (accepted === null || known?.root === accepted) return;
    const head = await alarmedHead(documentStore, accepted);
    if (head === null) return;
    const origin = NoteVerifier.parse(head.verifier).name;
    await accept({ origin, size: head.size, root: head.root, how: 'an earlier start has found it' });
  }

  async function accept(found: Contradicted): Promise<void> {
    const { origin, size, root, how } = found;
    if (root !== accepted) throw new StartRefused(refusal(found));
    const data = { origin, size, root, name: nameAfter(root) };
    const event: RestoredLogAccepted = { type: 'RestoredLogAccepted', data };
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await runner.report(TRANSPARENCY_STREAM, event, by);
    new Logger('Start').warn(
      `the log contradicts the checkpoint of ${size} events (${how}); this is accepted and recorded, and the log goes on under another name`,
    );
  }
}

/** The end of the log's name since a restored log was accepted; null: none ever was. */
export async function restoredName(eventStore: Pick<EventStore, 'readStream'>): Promise<string | null> {
  return (await lastAccepted(eventStore))?.name ?? null;
}

async function lastAccepted(eventStore: Pick<EventStore, 'readStream'>) {
  const [last] = await eventStore.readStream(TRANSPARENCY_STREAM, { direction: 'backwards', limit: 1 });
  if (!last) return null;
  const { name, root } = last.data;
  return typeof name === 'string' && typeof root === 'string' ? { name, root } : null;
}

/** The same for all processes that accept it at once. */
const nameAfter = (root: string): string => Buffer.from(root, 'base64').toString('hex', 0, 8);

const refusal = ({ origin, size, root, how }: Contradicted): string =>
  `the log contradicts the checkpoint of ${size} events that it has signed as ${origin}: ${how}. It was restored from an older backup, or changed. ` +
  `If the newer log exists, put it back. To go on with this one, under another name, start with --accept-restored-log ${root} (docs/proof.md)`;

async function contradictedBy(
  eventStore: EventStore,
  documentStore: DocumentStore,
  isShared: boolean,
): Promise<Contradicted | null> {
  if (!(await documentStore.databases()).includes(TREE_DATABASE)) return null;
  // Others are not read: on SQLite, each is a file to open.
  const [checkpoint] = await documentStore.checkpoints(TREE_DATABASE);
  const tree = await PublishedTree.open(documentStore);
  try {
    const head = await tree.head();
    if (!head || head.verifier === null || head.note === null) return null;
    const origin = NoteVerifier.parse(head.verifier).name;
    for (let looks = 1; ; looks++) {
      const lacks = checkpoint?.event ? !(await isThere(eventStore, checkpoint.event)) : false;
      const how = lacks ? 'its newest event is not in the log' : await differenceAtEnd(head, tree, eventStore);
      if (how === null) return null;
      if (!isShared || looks === LOOKS_TO_BE_SURE) return { origin, size: head.size, root: head.root, how };
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await tree.onApplicationShutdown();
  }
}

/** Compares the events of the tree's last two bundles. @throws TileDamaged */
async function differenceAtEnd(
  { size, root }: HeadDocument,
  tree: PublishedTree,
  eventStore: EventStore,
): Promise<string | null> {
  const lastBundle = Math.floor((size - 1) / TILE_WIDTH);
  const chunk: Chunk = { from: Math.max(lastBundle - 1, 0) * TILE_WIDTH, to: size };
  const expected = await leavesOf(chunk, tree);
  const fault = await tileFault(chunk, expected.map(leafHash), tree);
  if (expected.length < size - chunk.from || fault !== null) throw new TileDamaged(fault ?? 'leaves are missing');
  const own = await treeRoot(size, await TiledTree.open(tree.tiles, size));
  if (own.toString('base64') !== root) throw new TileDamaged('its head has another root than its tiles');
  const events = await eventsOf(chunk, eventStore, tree);
  const leaves = events.map((event) => leafOf(event).data);
  return differenceIn(chunk, { eventStore, tree }, leaves);
}
