/** Client programs that people read in: what they send starts read (api.md, Message flags: "from a non-API client"). */
const READERS = new Set([
  'website',
  'ios',
  'android',
  'zulipmobile',
  'zulipelectron',
  'zulipdesktop',
  'zulipandroid',
  'zulipios',
  'zulipterminal',
  'zulipflutter',
  'snipe',
]);

export function startsRead(client: string): boolean {
  const name = client.toLowerCase();
  return READERS.has(name) || name.includes('desktop app');
}
