/** The name in MongoDB of a collection of the port. None of the parts holds a slash. */
export function nativeName(database: string, incarnation: string, collection: string): string {
  return `${database}/${incarnation}/${collection}`;
}

/** @returns null for a collection that is not the document store's */
export function partsOf(native: string): { readonly database: string; readonly incarnation: string } | null {
  const [database, incarnation, collection, ...more] = native.split('/');
  if (!database || !incarnation || !collection || more.length > 0) return null;
  return { database, incarnation };
}
