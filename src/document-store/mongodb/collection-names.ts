/** What a collection of the port's is called in MongoDB; none of the parts holds a slash. */
export function nativeName(database: string, incarnation: string, collection: string): string {
  return `${database}/${incarnation}/${collection}`;
}

/** @returns null where the collection is none of the document store's */
export function partsOf(native: string): { readonly database: string; readonly incarnation: string } | null {
  const [database, incarnation, collection, ...more] = native.split('/');
  if (!database || !incarnation || !collection || more.length > 0) return null;
  return { database, incarnation };
}
