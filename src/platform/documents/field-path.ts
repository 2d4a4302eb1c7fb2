import type { Update } from './document-store.js';

export type FieldGetter = (document: object) => unknown;

/** The first step of a path: a field of the document itself. */
export const rootOf = (path: string): string => (path.includes('.') ? path.slice(0, path.indexOf('.')) : path);

/** Reads one value: undefined if the path leads nowhere, the array itself if the path leads into an array. */
export function fieldGetter(path: string): FieldGetter {
  if (!path.includes('.')) return (document) => (document as Record<string, unknown>)[path];
  const steps = path.split('.');
  return (document) => {
    let value: unknown = document;
    for (const step of steps) {
      if (Array.isArray(value)) return value;
      if (typeof value !== 'object' || value === null) return undefined;
      value = (value as Record<string, unknown>)[step];
    }
    return value;
  };
}

/**
 * The elements that a multikey index holds of a document: the elements of an array at the end of the path or on the
 * way, else the value itself, or undefined without a value. An empty array has no elements.
 */
export function fieldElements(path: string): (document: object) => unknown[] {
  const steps = path.split('.');
  const collect = (value: unknown, at: number): unknown[] => {
    const step = steps[at];
    if (step === undefined) return Array.isArray(value) ? value : [value];
    if (Array.isArray(value)) return value.flatMap((element) => (Array.isArray(element) ? [] : collect(element, at)));
    if (typeof value !== 'object' || value === null) return [undefined];
    return collect((value as Record<string, unknown>)[step], at + 1);
  };
  return (document) => collect(document, 0);
}

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
