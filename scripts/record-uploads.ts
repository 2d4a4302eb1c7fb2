// Records uploads, custom emoji, avatars, icon and logo, as a part of a history.

import { ZULIP_EMOJI } from '../src/features/markdown/emoji.js';
import type { Ask } from './api-client.js';

/** @param ask as the owner */
export async function recordUploads(
  ask: Ask,
  post: (path: string, file: File) => Promise<{ readonly url: string }>,
): Promise<void> {
  const upload = (content: string, name: string) =>
    post('/user_uploads', new File([content], name, { type: 'text/plain' }));
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

  const picture = new File([Buffer.from(ZULIP_EMOJI)], 'picture.png', { type: 'image/png' });
  for (const name of ['disc', 'gone']) await post(`/realm/emoji/${name}`, picture);
  await ask('DELETE', '/realm/emoji/gone');
  for (const _again of [1, 2]) await post('/users/me/avatar', picture);
  await ask('DELETE', '/users/me/avatar');
  for (const path of ['/realm/icon', '/realm/icon', '/realm/logo?night=true']) await post(path, picture);
  await ask('DELETE', '/realm/logo', { night: true });
}
