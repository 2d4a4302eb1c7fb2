import type { StoredDocument, Update } from '../document-store.js';
import { type CollectionLayout, refuseUnlessIndexable } from './layout.js';

/** Whether an update may change what `$text` searches. */
export function changesText({ text, scope }: CollectionLayout, update: Update<StoredDocument>): boolean {
  if (text.length === 0) return false;
  return paths(update).some(([, path]) => [...text, ...scope].some((field) => overlap(path, field.path)));
}

/**
 * The server would let an indexed field become an array or an object, and its index with it.
 *
 * @throws TypeError
 */
export function refuseUnindexableUpdate(layout: CollectionLayout, update: Update<StoredDocument>): void {
  for (const [operator, path, operand] of paths(update)) {
    for (const { path: indexed } of layout.single) {
      if (path === indexed && MAKING_ARRAYS.includes(operator)) refuseUnlessIndexable(layout, indexed, []);
      if (!SETTING.includes(operator)) continue;
      if (path.startsWith(`${indexed}.`)) refuseUnlessIndexable(layout, indexed, {});
      if (indexed === path) refuseUnlessIndexable(layout, indexed, operand);
      if (indexed.startsWith(`${path}.`))
        refuseUnlessIndexable(layout, indexed, within(operand, indexed.slice(path.length + 1)));
    }
  }
}

const MAKING_ARRAYS = ['$push', '$addToSet'];
const SETTING = ['$set', '$setOnInsert', '$min', '$max'];

function paths(update: Update<StoredDocument>): [operator: string, path: string, operand: unknown][] {
  return Object.entries(update).flatMap(([operator, fields]) =>
    typeof fields === 'object' && fields !== null
      ? Object.entries(fields).flatMap(([path, operand]): [string, string, unknown][] =>
          operator === '$rename'
            ? [
                [operator, path, null],
                [operator, String(operand), null],
              ]
            : [[operator, path, operand]],
        )
      : [],
  );
}

function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function within(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null || Array.isArray(found))
      return Array.isArray(found) ? found : undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}
