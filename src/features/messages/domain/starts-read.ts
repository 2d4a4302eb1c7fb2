/**
 * Client programs with a user interface. "Messages start unread, except messages the user sent from a non-API client."
 */
const NON_API_CLIENTS = new Set([
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
  return NON_API_CLIENTS.has(name) || name.includes('desktop app');
}
