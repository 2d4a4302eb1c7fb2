// Records who looked and who was refused, as a part of a history: a failed login, a refused act, reads of the audit.
import type { Ask } from './api-client.js';

/**
 * @param ask as the owner, who is not subscribed to the private channel
 * @param asMember as somebody without an office
 */
export async function recordAccesses(ask: Ask, asMember: Ask, privateChannelId: number): Promise<void> {
  await refused(ask('POST', '/fetch_api_key', { username: 'tulip@example.com', password: 'not this one' }));
  await refused(asMember('PATCH', '/realm', { description: 'Mine' }));
  await ask('GET', '/audit/events?kind=["MessageEdited"]');
  await ask('GET', `/audit/events?channel_id=${privateChannelId}&words=true`);
  // More than are told apart in a minute.
  for (let at = 0; at < 25; at++)
    await refused(ask('POST', '/fetch_api_key', { username: `nobody${at}@example.com`, password: 'a guess' }));
}

/** @throws Error if the request was carried out */
async function refused(request: Promise<unknown>): Promise<void> {
  const isDone = await request.then(
    () => true,
    () => false,
  );
  if (isDone) throw new Error('a request to be refused was carried out');
}
