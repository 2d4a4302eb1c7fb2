import { Logger } from '@nestjs/common';
import { type RestoredLogAccepted, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { CommandRunner } from '../../platform/commands/command-runner.js';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import type { Engines } from '../../platform/engines/engines.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import type { EventStore } from '../../platform/log/event-store.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { alarmedHead, keepSignedHead } from '../../platform/transparency/checkpoint-store.js';
import { givenUpCheckpoints } from '../../platform/transparency/given-up.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TileDamaged } from '../../platform/transparency/tiled-tree.js';
import { TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { eventsBehind, namedBehind } from '../verify/events-behind.js';
import { type Contradicted, contradictedBy } from './contradicted-log.js';
import { isJustRestored } from './earlier-lineage.js';

interface SignedLogOptions {
  /** Root of the checkpoint that the log may contradict, base64; null: none. */
  readonly accepted: string | null;
  /** Noted checkpoints. */
  readonly file: CheckpointFile;
  /** A replica may answer for the log. */
  readonly isShared: boolean;
  /** Places of unreadable events that are passed over. Nobody can tell what the tree has of them. */
  readonly skipped: ReadonlySet<string>;
  /**
   * Called when a log that contradicts the checkpoint is accepted, before its tree is dropped: the tree may be the only one
   * that had seen the lost events.
   */
  readonly onContradicted: () => Promise<void>;
}

/**
 * Compares the newest events with the last signed checkpoint and its tree, in bounded time. A log that contradicts them is
 * refused, unless the operator accepts it: then the log records that, and goes on under another name (docs/proof.md).
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
    // The root is known if another process has accepted it, or the last start ended here.
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

/** Says once which events the tree is yet to have: the server was killed before it stored them, or somebody has added them. */
async function tellBehind(documentStore: DocumentStore, eventStore: EventStore): Promise<void> {
  if (!(await documentStore.databases()).includes(TREE_DATABASE)) return;
  await PublishedTree.within(documentStore, async (tree) => {
    const head = await tree.head();
    const behind = head && (await eventsBehind({ head, newest: await eventStore.head() }, eventStore));
    if (behind)
      new Logger('Start').log(
        `events behind the signed tree, which takes them in now: ${behind.count} (${namedBehind(behind)})`,
      );
  });
}
