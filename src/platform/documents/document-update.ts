import type { Update } from './document-store.js';

/**
 * The fields that an update sets.
 *
 * @throws TypeError for anything but a `$set` of a document's own fields
 */
export function fieldsSet(update: Update): Readonly<Record<string, unknown>> {
  const { $set } = update;
  const fields = Object.keys($set ?? {});
  if (fields.length === 0 || Object.keys(update).length > 1) throw new TypeError('an update is a $set of some fields');
  for (const field of fields) {
    if (!/^\w+$/.test(field) || field === '_id' || $set[field] === undefined) {
      throw new TypeError(`$set takes a document's own fields and their values, which ${field} is not`);
    }
  }
  return $set;
}
