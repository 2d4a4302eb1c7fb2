import { setTimeout as pause } from 'node:timers/promises';
import type { Engines } from '../../platform/engines/engines.js';
import type { Position } from '../../platform/kernel/position.js';
import { type EventStore, type StoredEvent, UnreadableEvent } from '../../platform/log/event-store.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import type { HeadDocument } from '../../platform/transparency/tree.documents.js';
import { NotRight, type VerifiedLog } from './verified-log.js';
import { misfiledBetween, sealedIn } from './verify-chunk.js';
import { endedKeysAfter, keylessCodec, keysOf, nameOf } from './verify-keys.js';

/** Milliseconds for which a tree that stands still is waited for, and between two looks. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** Events that are read at once. */
const PAGE = 1000;

interface ReachedHead {
  readonly head: HeadDocument;
  /** The newest event that the log had before the tree was waited for. Events behind it are not looked at. */
  readonly newest: Position;
}

/** Waits while a server takes the events that the log has by now into the tree. @returns null if there is no tree */
export async function reachedHead(
  tree: Pick<PublishedTree, 'head'>,
  eventStore: Pick<EventStore, 'head' | 'readAll'>,
  { goOn, patience = PATIENCE_MS }: { readonly goOn: () => Promise<void>; readonly patience?: number },
): Promise<ReachedHead | null> {
  const newest = await eventStore.head();
  let size = -1;
  for (let until = performance.now() + patience; ; await pause(LOOK_EVERY_MS)) {
    await goOn();
    const head = await tree.head();
    if (head === null) return null;
    if (!(await isBehind(head, newest, eventStore))) return { head, newest };
    if (head.size > size) until = performance.now() + patience;
    else if (performance.now() > until) return { head, newest };
    size = head.size;
  }
}

/** Tells whether the tree lacks events up to `newest`. Other programs may have appended the newest events of a shared log. */
export async function isBehind(
  { position }: Pick<HeadDocument, 'position'>,
  newest: Position,
  eventStore: Pick<EventStore, 'readAll'>,
): Promise<boolean> {
  if (position >= newest) return false;
  const { events } = await eventStore.readAll({ after: position, limit: 1 });
  return events.some((event) => event.position <= newest);
}

/** Events that no checkpoint covers. */
interface EventsBehind {
  readonly count: number;
  readonly first: StoredEvent;
  readonly last: StoredEvent;
}

/** Counts the events behind the tree. @param look is given them, page by page */
export async function eventsBehind(
  { head, newest }: ReachedHead,
  eventStore: Pick<EventStore, 'readAll'>,
  look: (events: readonly StoredEvent[]) => Promise<void> = async () => {},
): Promise<EventsBehind | null> {
  const found: { count: number; first: StoredEvent | null; last: StoredEvent | null } = {
    count: 0,
    first: null,
    last: null,
  };
  for (let after = head.position; after < newest; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    const events = page.events.filter(({ position }) => position <= newest);
    await look(events);
    found.count += events.length;
    found.first ??= events[0] ?? null;
    found.last = events.at(-1) ?? found.last;
    if (page.caughtUp) break;
    after = page.position;
  }
  const { count, first, last } = found;
  return first && last ? { count, first, last } : null;
}

/**
 * Looks at the events behind the tree: nothing signed can be compared with them, but they must fit the log.
 * @param log what was compared up to the tree's head
 * @param givenUpBefore the position up to which keys may be missing
 * @returns a sentence that names them; null: there are none
 * @throws NotRight if one does not fit
 */
export async function judgeBehind(
  reached: ReachedHead,
  log: VerifiedLog,
  {
    eventStore,
    contentKeys,
    givenUpBefore,
  }: Pick<Engines, 'eventStore' | 'contentKeys'> & { readonly givenUpBefore: Position },
): Promise<string | null> {
  const after = reached.head.position;
  const fits = fitting(log);
  let ended: ReadonlySet<string> | null = null;
  const behind = await eventsBehind(reached, eventStore, async (events) => {
    for (const event of events) fits(event);
    const { fault, missing } = await keysOf(sealedIn(events), contentKeys, true);
    if (fault !== null) throw new NotRight(fault);
    if (missing.length === 0) return;
    ended ??= new Set(await endedKeysAfter(after, eventStore));
    for (const [keyId, event, position] of missing)
      if (!ended.has(keyId) && position >= givenUpBefore)
        throw new NotRight(`the key ${keyId} of ${event} is missing, and no event tells that it was destroyed`);
  });
  const fault = await misfiledBetween({ after, until: reached.newest }, eventStore);
  if (fault !== null) throw new NotRight(fault);
  return behind && behindText(behind);
}

/** Looks at one event after the other. @throws NotRight */
function fitting(log: VerifiedLog): (event: StoredEvent) => void {
  const revisions = new Map<string, number>();
  const ids = new Set<string>();
  return (event) => {
    const { stream, revision, id } = event;
    const before = revisions.get(stream) ?? log.lastRevisionOf(stream);
    if (revision !== before + 1)
      throw new NotRight(`${nameOf(event)}, behind the tree, does not follow revision ${before} of its stream`);
    revisions.set(stream, revision);
    if (ids.has(`${stream} ${id}`)) throw new NotRight(`${nameOf(event)}, behind the tree, has the id of another`);
    ids.add(`${stream} ${id}`);
    try {
      keylessCodec.decodeWithoutContent([event]);
    } catch (error) {
      throw error instanceof UnreadableEvent ? new NotRight(error.message) : error;
    }
  };
}

const placeOf = (event: StoredEvent): string => `${nameOf(event)} at position ${event.position}`;

/** Names the first and the last of them. */
export const namedBehind = ({ count, first, last }: EventsBehind): string =>
  count === 1 ? placeOf(first) : `${placeOf(first)} to ${placeOf(last)}`;

function behindText(behind: EventsBehind): string {
  const { count } = behind;
  const [what, them] = count === 1 ? ['1 event is', 'it'] : [`${count.toLocaleString('en-US')} events are`, 'them'];
  return (
    `${what} behind the tree, and nothing signed vouches for ${them} yet: ${namedBehind(behind)}. ` +
    `That is normal after a kill or a crash, and the next start takes ${them} in. If no process was killed, look at ${them} first: whoever adds rows to a stopped log leaves such events, too`
  );
}
