import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { eventRegistry } from '../../events/event-registry.js';
import type { Collection, DocumentId, StoredDocument } from '../../platform/documents/document-store.js';
import { endsKeys } from '../../platform/kernel/content-duties.js';
import type { Position } from '../../platform/kernel/position.js';
import type { EventStore } from '../../platform/log/event-store.js';
import type { LiveDocuments } from './live-documents.js';
import type { RebuiltDocuments } from './rebuilt-documents.js';
import { NotRight } from './verified-log.js';

interface Compared {
  readonly live: LiveDocuments;
  readonly rebuilt: RebuiltDocuments;
  readonly eventStore: Pick<EventStore, 'readAll'>;
  /** Lets signals have their turn. Rejects to end the work. */
  readonly goOn: () => Promise<void>;
}

/** Documents that are read at once. */
const PAGE = 1000;

/** Milliseconds for which documents are looked at again while a server changes them. */
const LONGEST_LOOK_MS = 15_000;
const BETWEEN_LOOKS_MS = 20;

/**
 * Compares all documents of a projection with rebuilt ones. @returns their number
 * @throws NotRight naming the first document that differs, never its content
 */
export async function compareAll(compared: Compared): Promise<number> {
  const { live, rebuilt } = compared;
  const { projection } = live;
  await rebuilt.reach(new Map([[projection, await live.position()]]));
  let count = 0;
  for (const name of Object.keys(projection.collections)) {
    const [own, other] = [live.collection(name), rebuilt.collection(projection, name)];
    for await (const page of pagesOf(own)) {
      const found = await documentsNamed(other, idsOf(page));
      const differing = page.filter((document) => !isDeepStrictEqual(document, found.get(document._id)));
      await settle(compared, name, idsOf(differing));
      count += page.length;
    }
    for await (const page of pagesOf(other, { _id: 1 })) {
      const found = await documentsNamed(own, idsOf(page), { _id: 1 });
      await settle(
        compared,
        name,
        idsOf(page).filter((id) => !found.has(id)),
      );
    }
  }
  return count;
}

/**
 * Looks again at documents that seem to differ, until both sides are at the same position.
 * @throws NotRight if a document differs there
 */
async function settle(compared: Compared, collection: string, suspects: readonly DocumentId[]): Promise<void> {
  const { live, goOn } = compared;
  const until = performance.now() + LONGEST_LOOK_MS;
  for (let left = suspects; ; await setTimeout(BETWEEN_LOOKS_MS)) {
    await goOn();
    if (left.length === 0) return;
    const { differing, fault, position } = await lookAgain(compared, collection, left);
    left = differing;
    if (fault === null) continue;
    await live.mustBeLive();
    if (position !== null && (await isAtRest(compared, position))) throw new NotRight(fault);
    if (performance.now() > until) throw unsettled(live);
  }
}

interface Look {
  readonly differing: readonly DocumentId[];
  /** Names the first that differs; null: none does. */
  readonly fault: string | null;
  /** Position of the documents on both sides; null: the live ones have moved on meanwhile. */
  readonly position: Position | null;
}

async function lookAgain({ live, rebuilt }: Compared, name: string, ids: readonly DocumentId[]): Promise<Look> {
  const { projection } = live;
  const position = await live.position();
  await rebuilt.reach(new Map([[projection, position]]));
  const found = await documentsNamed(live.collection(name), ids);
  const isSame = (await live.position()) === position;
  const wanted = await documentsNamed(rebuilt.collection(projection, name), ids);
  const differing = ids.filter((id) => !isDeepStrictEqual(found.get(id), wanted.get(id)));
  const [id] = differing;
  const fault =
    id === undefined
      ? null
      : `${projection.name}: the document ${JSON.stringify(id)} of ${name} ${faultOf(found.get(id), wanted.get(id))}`;
  return { differing, fault, position: isSame ? position : null };
}

function faultOf(found: StoredDocument | undefined, wanted: StoredDocument | undefined): string {
  if (!found) return 'is missing: a rebuild makes it';
  if (!wanted) return 'was added: no rebuild makes it';
  const fields = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  const differing = [...fields].filter(
    (field) => !isDeepStrictEqual(Reflect.get(found, field), Reflect.get(wanted, field)),
  );
  return `differs from a rebuild in ${differing.join(', ')}`;
}

/**
 * Whether the documents are what the log gives at the position. They are not while an event is half applied. When words
 * have been erased since, only one of the sides may have read them.
 */
async function isAtRest({ live, eventStore }: Compared, position: Position): Promise<boolean> {
  if (await live.isAmidEvent()) return false;
  const types = Object.keys(live.projection.on).filter((type) => {
    const definition = eventRegistry.get(type);
    return definition !== undefined && endsKeys(definition);
  });
  if (types.length === 0) return true;
  for (let after = position; ; ) {
    const page = await eventStore.readAll({ after, limit: PAGE, filter: { types } });
    if (page.events.length > 0) return false;
    if (page.caughtUp) return true;
    after = page.position;
  }
}

const unsettled = ({ projection }: LiveDocuments): Error =>
  new Error(
    `the documents of ${projection.name} cannot be compared: they change all the time, or no server completes them`,
  );

/** All documents in the order of their ids: numbers, then texts. */
async function* pagesOf(
  collection: Collection<StoredDocument>,
  projection?: { readonly _id: 1 },
): AsyncGenerator<readonly StoredDocument[]> {
  for (const before of [-Number.MAX_VALUE, '']) {
    for (let last: DocumentId | undefined = before; last !== undefined; ) {
      const options = { sort: { _id: 1 }, limit: PAGE, ...(projection && { projection }) } as const;
      const page: readonly StoredDocument[] = await collection.find({ _id: { $gt: last } }, options);
      if (page.length > 0) yield page;
      last = page.length < PAGE ? undefined : page.at(-1)?._id;
    }
  }
}

async function documentsNamed(
  collection: Collection<StoredDocument>,
  ids: readonly DocumentId[],
  projection?: { readonly _id: 1 },
): Promise<ReadonlyMap<DocumentId, StoredDocument>> {
  const found = await collection.find({ _id: { $in: ids } }, projection && { projection });
  return new Map(found.map((document) => [document._id, document]));
}

const idsOf = (documents: readonly StoredDocument[]): DocumentId[] => documents.map(({ _id }) => _id);
