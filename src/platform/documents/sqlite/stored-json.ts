/** Parses JSON that this program has stored. Anything else in its place is damage, which SQLite's own checks do not see. */
export function storedJson(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    throw Object.assign(new Error('a row is no JSON', { cause }), { code: 'SQLITE_CORRUPT' });
  }
}
