// Records uploads, as a part of a history.

import type { Ask } from './api-client.js';

/** @param ask as the owner */
export async function recordUploads(
  ask: Ask,
  upload: (content: string, name: string) => Promise<{ readonly url: string }>,
) {
  const send = (content: string) =>
    ask('POST', '/messages', { type: 'channel', to: 'general', topic: 'files', content });
  const { url: kept } = await upload('What is kept', 'kept.txt');
  const { url: gone } = await upload('What is soon gone', 'soon gone.txt');
  const { id } = await send(`[kept](${kept}) and [gone](${gone})`);
  await ask('PATCH', `/messages/${id}`, { content: `Only [kept](${kept})` });
  const { id: deleted } = await send(`[kept](${kept}), soon gone`);
  await ask('DELETE', `/messages/${deleted}`);
  const { attachments } = await ask('GET', '/attachments');
  await ask('DELETE', `/attachments/${attachments.at(-1).id}`);
}
