import type {
  BulkOperation,
  CollectionSpec,
  DocumentId,
  StoredDocument,
} from '../../src/platform/documents/document-store.js';
import { onlyIds } from '../../src/platform/documents/only-ids.js';
import type { Change } from '../../src/platform/read-models/projection.js';
import { isWithin, NOTHING, sizeOfAll, sumOf, type WriteSize } from './write-size.js';

/** Number of steps in which changes can be made: one a document that a change names. */
export const stepsOf = (changes: readonly Change[]): number =>
  changes.reduce((sum, { operation }) => sum + stepsIn(operation), 0);

/** The changes of the steps numbered from `from`, before `until`. */
export function partOf(changes: readonly Change[], from: number, until: number): Change[] {
  const part: Change[] = [];
  let at = 0;
  for (const change of changes) {
    const end = at + stepsIn(change.operation);
    if (end > from && at < until) {
      part.push({ ...change, operation: cut(change.operation, Math.max(from - at, 0), until - at) });
    }
    at = end;
  }
  return part;
}

/**
 * The end of the part that begins with step `from`: as many steps as fit, one at least. Ends within a group of changes,
 * or within a change, only if the part begins there and the rest does not fit.
 */
export function endOfPart(
  changes: readonly Change[],
  from: number,
  most: WriteSize,
  collections: Readonly<Record<string, CollectionSpec>>,
): number {
  let size = NOTHING;
  let until = from;
  for (const group of groupsOf(changes, from)) {
    const whole = sumOf(size, sizeOfAll(group, collections));
    if (!isWithin(whole, most)) break;
    size = whole;
    until += stepsOf(group);
  }
  if (until > from) return until;
  const [first = []] = groupsOf(changes, from);
  let fits = Math.min(stepsOf(first), Math.max(most.documents, 1));
  while (fits > 1 && !isWithin(sizeOfAll(partOf(first, 0, fits), collections), most)) fits = Math.ceil(fits / 2);
  return from + fits;
}

/** The changes that belong together, from a step on. */
function* groupsOf(changes: readonly Change[], from: number): Generator<Change[]> {
  let group: Change[] = [];
  for (const change of partOf(changes, from, Number.POSITIVE_INFINITY)) {
    const before = group.at(-1);
    if (before && (change.group === undefined || change.group !== before.group)) {
      yield group;
      group = [];
    }
    group.push(change);
  }
  if (group.length > 0) yield group;
}

const stepsIn = (operation: BulkOperation<StoredDocument>): number => idsOf(operation)?.length ?? 1;

function idsOf(operation: BulkOperation<StoredDocument>): readonly DocumentId[] | undefined {
  if ('updateMany' in operation) return onlyIds(operation.updateMany.filter);
  if ('deleteMany' in operation) return onlyIds(operation.deleteMany.filter);
  return undefined;
}

/** A change of some of the documents that an operation names. */
function cut(operation: BulkOperation<StoredDocument>, from: number, until: number): BulkOperation<StoredDocument> {
  const ids = idsOf(operation);
  if (!ids || (from === 0 && until >= ids.length)) return operation;
  const filter = { _id: { $in: ids.slice(from, until) } };
  if ('updateMany' in operation) return { updateMany: { ...operation.updateMany, filter } };
  return { deleteMany: { filter } };
}
