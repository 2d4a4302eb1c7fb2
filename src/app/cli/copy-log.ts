import { type ContentKeys, LOG_OF_KEYS } from '../../platform/content-keys/content-keys.js';
import type { FileStore } from '../../platform/file-store/file-store.js';
import { type Position, START } from '../../platform/kernel/position.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { leafOf } from '../../platform/transparency/leaf.js';
import { GrowingTree } from '../../platform/transparency/merkle.js';
import { SIGNING_KEY } from '../../platform/transparency/open-signer.js';
import { appendInOrder, type SizedEvent } from './copy-append.js';
import { copyFiles, fileIdsIn } from './copy-files.js';
import { checkKeys, copyKeys, keyIdsIn } from './copy-keys.js';
import { endedBy, OpenQueues } from './copy-queues.js';
import { CopyRefused } from './failure.js';
import { LogCursor, pagesUpTo } from './log-cursor.js';

export interface CopySide {
  readonly eventStore: Pick<EventStore, 'append' | 'readAll' | 'head'>;
  readonly contentKeys: ContentKeys;
  readonly fileStore: FileStore;
}

export interface CopyStep {
  readonly phase: 'copying' | 'checking';
  /** Events of this phase so far. */
  readonly events: number;
  readonly position: Position;
  /** Position at which the phase ends. */
  readonly head: Position;
}

export interface Copied {
  /** Events that this run appended; the others were there already. */
  readonly appended: number;
  readonly count: number;
  /** Roots of the source's tree and of as many events of the target, in base64: two readings, found equal. */
  readonly sourceRoot: string;
  readonly targetRoot: string;
  /** Keys that had been destroyed in the source since they were copied. */
  readonly keysDestroyed: number;
  /** Uploaded files of the source, all of them in the target too. */
  readonly files: number;
  /** Number of event queues that lived at the end of the source; `queuesEnded`: of these, ended by this run. */
  readonly queues: number;
  readonly queuesEnded: number;
}

/** Events between two stored roots of the source's tree, which show where a copy differs. */
const MARK_EVERY = 1000;

/**
 * Copies a log, the keys of its content and its uploaded files into an empty target, or resumes a copy that was cut
 * short: event by event, in the order of the whole log, with the same ids and revisions. Then reads the target back. No
 * other process may write to either.
 *
 * @throws CopyRefused, EventStoreUnavailable, ContentKeysUnavailable, FileStoreUnavailable: the copied part stays, and
 * a repeat resumes after it
 */
export async function copyLog(from: CopySide, to: CopySide, onStep: (step: CopyStep) => void): Promise<Copied> {
  const head = await from.eventStore.head();
  if (head === START) throw new CopyRefused('there is nothing to copy: the log of the source holds no events');

  // The copy keeps the log's name among those who check it.
  await copyKeys(from.contentKeys, to.contentKeys, [SIGNING_KEY]);

  // 1. The target's events must be the source's first ones; append the rest.
  const { source, marks, queues, appended } = await copyEvents(from, to, head, onStep);

  // 2. Read the copy back from the target's disk.
  const { target, keysDestroyed, files } = await readBack(from, to, { source, marks, queues }, onStep);

  // 3. Check that nobody wrote meanwhile; then end the queues, whose places in the log have changed.
  if ((await from.eventStore.head()) !== head) {
    throw new CopyRefused('somebody writes to the source: stop all that runs on it, and copy again to go on');
  }
  const queuesEnded = await queues.end(to.eventStore);
  // Keys that name a log are refused beside an empty one, so this is last.
  await copyKeys(from.contentKeys, to.contentKeys, [LOG_OF_KEYS]);
  return {
    appended,
    count: source.size,
    sourceRoot: rootOf(source),
    targetRoot: rootOf(target),
    keysDestroyed,
    files,
    queues: queues.count,
    queuesEnded,
  };
}

interface SourceRead {
  readonly source: GrowingTree;
  readonly marks: readonly string[];
  readonly queues: OpenQueues;
}

async function copyEvents(
  from: CopySide,
  to: CopySide,
  head: Position,
  onStep: (step: CopyStep) => void,
): Promise<SourceRead & { readonly appended: number }> {
  const source = new GrowingTree();
  const marks: string[] = [];
  const queues = new OpenQueues();
  const beginning = new GrowingTree();
  const target = new LogCursor(to.eventStore, await to.eventStore.head());
  let appended = 0;
  for await (const page of pagesUpTo(from.eventStore, head)) {
    const missing: SizedEvent[] = [];
    for (const event of page) {
      const { data, bytes } = leafOf(event);
      source.add(data);
      if (source.size % MARK_EVERY === 0) marks.push(rootOf(source));
      const there = await target.next();
      if (!there) missing.push({ event, bytes });
      else {
        beginning.add(leafOf(there).data);
        if (!beginning.equals(source)) throw new CopyRefused(whatDiffers(source.size, event, there));
      }
    }
    await queues.apply(page);
    const events = missing.map(({ event }) => event);
    await copyKeys(from.contentKeys, to.contentKeys, keyIdsIn(events));
    await copyFiles(from.fileStore, to.fileStore, fileIdsIn(events));
    await appendInOrder(to.eventStore, missing);
    appended += missing.length;
    onStep({ phase: 'copying', events: source.size, position: page.at(-1)?.position ?? head, head });
  }
  await refuseOthers(target, source, queues);
  marks.push(rootOf(source));
  return { source, marks, queues, appended };
}

async function readBack(
  from: CopySide,
  to: CopySide,
  { source, marks, queues }: SourceRead,
  onStep: (step: CopyStep) => void,
): Promise<{ readonly target: GrowingTree; readonly keysDestroyed: number; readonly files: number }> {
  const target = new GrowingTree();
  const head = await to.eventStore.head();
  const cursor = new LogCursor(to.eventStore, head);
  let keysDestroyed = 0;
  let files = 0;
  let batch: StoredEvent[] = [];
  while (target.size < source.size) {
    const event = await cursor.next();
    if (!event) throw new CopyRefused(`the target holds ${target.size} events, not ${source.size}: copy again`);
    target.add(leafOf(event).data);
    batch.push(event);
    if (target.size % MARK_EVERY !== 0 && target.size < source.size) continue;
    if (rootOf(target) !== marks[Math.ceil(target.size / MARK_EVERY) - 1]) {
      throw new CopyRefused(
        `the copy differs within events ${target.size - batch.length + 1} to ${target.size}: somebody else writes to the ` +
          'target, or its disk does not keep what it is given',
      );
    }
    keysDestroyed += await checkKeys(from.contentKeys, to.contentKeys, keyIdsIn(batch));
    files += await copyFiles(from.fileStore, to.fileStore, fileIdsIn(batch));
    onStep({ phase: 'checking', events: target.size, position: event.position, head });
    batch = [];
  }
  await refuseOthers(cursor, source, queues);
  return { target, keysDestroyed, files };
}

/** Refuses events behind the copied ones, other than the ends of queues by an earlier run. */
async function refuseOthers(rest: LogCursor, { size }: GrowingTree, queues: OpenQueues): Promise<void> {
  for (let event = await rest.next(); event; event = await rest.next()) {
    if (queues.isEnd(event)) continue;
    throw new CopyRefused(
      `the target has all ${size} events of the source, and has gone on since with ${describe(event)}: it is in use, and ` +
        'was left as it is',
    );
  }
}

function whatDiffers(number: number, event: StoredEvent, there: StoredEvent): string {
  if (endedBy(there) !== null) {
    return (
      `the copy was finished at event ${number - 1} of the source, which has gone on since with ${describe(event)}: ` +
      'copy to an empty place'
    );
  }
  const what = describe(event) === describe(there) ? 'holds something else' : `is ${describe(there)}`;
  return (
    `the target is not the beginning of the source: event ${number}, ${describe(event)}, ${what} there; copy to an empty ` +
    'place'
  );
}

const rootOf = ({ root }: GrowingTree): string => root.toString('base64');

const describe = ({ type, stream, revision }: StoredEvent): string => `${type} (${stream}@${revision})`;
