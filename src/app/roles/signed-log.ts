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
import { placeOf } from '../../platform/log/unreadable-event.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { alarmedHead, keepSignedHead, nameIn } from '../../platform/transparency/checkpoint-store.js';
import { type GivenUp, givenUpCheckpoints, isGivenUp } from '../../platform/transparency/given-up.js';
import { leafOfReadable } from '../../platform/transparency/leaf.js';
import { leafHash, treeRoot } from '../../platform/transparency/merkle.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH } from '../../platform/transparency/tile-paths.js';
import { TileDamaged, TiledTree } from '../../platform/transparency/tiled-tree.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import type { Chunk } from '../verify/chunk.js';
import { eventsBehind, namedBehind } from '../verify/events-behind.js';
import { differenceIn, eventsOf, leavesOf, tileFault } from '../verify/verify-chunk.js';
import { type Contradicted, claimsIn, contradictedClaim } from './contradicted-claim.js';
import { differenceInTypes } from './difference-in-types.js';
import { isJustRestored } from './just-restored.js';

/** Looks in a row that must find the difference: a replica that answers may be a little behind. */
const LOOKS_TO_BE_SURE = 3;
const LOOK_EVERY_MS = 1000;

export interface SignedLogOptions {
  /** Root of the checkpoint that the log may contradict, base64; null: none. */
  readonly accepted: string | null;
  /** Noted checkpoints. */
  readonly file: CheckpointFile;
  /** A replica may answer for the log. */
  readonly isShared: boolean;
  /** Places of unreadable events that are passed over. Nobody can tell what the tree has of them. */
  readonly skipped: ReadonlySet<string>;
  /**
   * Called when a log that contradicts the checkpoint is accepted, before its tree is dropped: the tree may be the only one that had
   * seen the lost events.
   */
  readonly onContradicted: () => Promise<void>;
}

/**
 * Compares the newest events with the last signed checkpoint and its tree, in bounded time. A log that contradicts them is refused,
 * unless the operator accepts it: then the log records that, and goes on under another name (docs/proof.md).
 * @throws StartRefused; UnreadableEvent for one of these events; EventStoreUnavailable
 */
export async function checkSignedLog(
  { eventStore, documentStore }: Pick<Engines, 'eventStore' | 'documentStore'>,
  runner: CommandRunner,
  { accepted, file, isShared, skipped, onContradicted }: SignedLogOptions,
): Promise<void> {
  const givenUp = await givenUpCheckpoints(eventStore, TRANSPARENCY_STREAM);
  const known = givenUp.at(-1);
  try {
    const found = await contradictedBy({ eventStore, documentStore }, { file, isShared, skipped, givenUp });
    if (found === null) {
      await tellBehind(documentStore, eventStore);
      return await acceptAlarmed();
    }
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
    await accept({ ...head, how: 'an earlier start has found it' });
  }

  async function accept(found: Contradicted): Promise<void> {
    const { origin, size, root, how } = found;
    if (root !== accepted) throw new StartRefused(refusal(found));
    const data = { origin, size, root, name: nameAfter(root) };
    const event: RestoredLogAccepted = { type: 'RestoredLogAccepted', data };
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await runner.report(TRANSPARENCY_STREAM, event, by);
    const [log, isExpected] = [new Logger('Start'), await isJustRestored(eventStore)];
    log[isExpected ? 'log' : 'warn'](
      `the log contradicts the checkpoint of ${size} events (${how}); this is accepted and recorded, and the log goes on under another name`,
    );
  }
}

/** The same for all processes that accept it at once. */
const nameAfter = (root: string): string => Buffer.from(root, 'base64').toString('hex', 0, 8);

const refusal = ({ origin, size, root, how }: Contradicted): string =>
  `the log contradicts the checkpoint of ${size} events that it has signed as ${origin}: ${how}. It was restored from an older backup, or changed. ` +
  `If the newer log exists, put it back. To go on with this one, under another name, start with --accept-restored-log ${root} (docs/proof.md)`;

async function contradictedBy(
  { eventStore, documentStore }: Pick<Engines, 'eventStore' | 'documentStore'>,
  {
    file,
    isShared,
    skipped,
    givenUp,
  }: Pick<SignedLogOptions, 'file' | 'isShared' | 'skipped'> & { readonly givenUp: readonly GivenUp[] },
): Promise<Contradicted | null> {
  if (!(await documentStore.databases()).includes(TREE_DATABASE)) return null;
  // Others are not read: on SQLite, each is a file to open.
  const [checkpoint] = await documentStore.checkpoints(TREE_DATABASE);
  const tree = await PublishedTree.open(documentStore);
  try {
    const head = await tree.head();
    if (!head) return null;
    const claims = (await claimsIn(documentStore, file)).filter((claim) => !isGivenUp(claim, givenUp));
    for (let looks = 1; ; looks++) {
      const found = (await byHead(head)) ?? (await contradictedClaim(claims, { head, tree, eventStore }));
      if (found === null || !isShared || looks === LOOKS_TO_BE_SURE) return found;
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await tree.onApplicationShutdown();
  }

  async function byHead(head: HeadDocument): Promise<Contradicted | null> {
    const { verifier, note, size, root } = head;
    if (verifier === null || note === null) return null;
    const lacks = checkpoint?.event ? !(await isThere(eventStore, checkpoint.event)) : false;
    const how = lacks
      ? 'its newest event is not in the log'
      : ((await differenceAtEnd(head, { tree, eventStore, skipped })) ??
        (await differenceInTypes(head, { tree, eventStore, skipped })));
    return how === null ? null : { origin: nameIn(verifier), size, root, how };
  }
}

/** Says once which events the tree is yet to have: the server was killed before it stored them, or somebody has added them. */
async function tellBehind(documentStore: DocumentStore, eventStore: EventStore): Promise<void> {
  if (!(await documentStore.databases()).includes(TREE_DATABASE)) return;
  const tree = await PublishedTree.open(documentStore);
  try {
    const head = await tree.head();
    const behind = head && (await eventsBehind({ head, newest: await eventStore.head() }, eventStore));
    if (behind)
      new Logger('Start').log(
        `events behind the signed tree, which takes them in now: ${behind.count} (${namedBehind(behind)})`,
      );
  } finally {
    await tree.onApplicationShutdown();
  }
}

/** Compares the events of the tree's last two bundles. @throws TileDamaged, UnreadableEvent */
async function differenceAtEnd(
  { size, root }: HeadDocument,
  {
    tree,
    eventStore,
    skipped,
  }: { readonly tree: PublishedTree; readonly eventStore: EventStore; readonly skipped: ReadonlySet<string> },
): Promise<string | null> {
  const lastBundle = Math.floor((size - 1) / TILE_WIDTH);
  const chunk: Chunk = { from: Math.max(lastBundle - 1, 0) * TILE_WIDTH, to: size };
  const expected = await leavesOf(chunk, tree);
  const fault = await tileFault(chunk, expected.map(leafHash), tree);
  if (expected.length < size - chunk.from || fault !== null) throw new TileDamaged(fault ?? 'leaves are missing');
  const own = await treeRoot(size, await TiledTree.open(tree.tiles, size));
  if (own.toString('base64') !== root) throw new TileDamaged('its head has another root than its tiles');
  const events = await eventsOf(chunk, eventStore, tree);
  const leaves = events.map(
    (event, at) => (skipped.has(placeOf(event)) ? expected[at] : undefined) ?? leafOfReadable(event),
  );
  return differenceIn(chunk, { eventStore, tree }, leaves);
}
