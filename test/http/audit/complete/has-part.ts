/** Whether a value has all of a part. Lists have to be equal. */
export function hasPart(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    return JSON.stringify(whole) === JSON.stringify(part);
  }
  if (typeof whole !== 'object' || whole === null) return false;
  const known = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => hasPart(known.get(name), value));
}
