/** The key by which names are compared: equal for names that differ only in case or in Unicode composition. */
export function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
