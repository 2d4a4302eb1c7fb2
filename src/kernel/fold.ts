/** Names that differ only in case, or in how their characters are composed, are the same name. */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
