// The part of a recorded history that is about uploaded files.

/**
 * @param {(method: string, path: string, parameters?: Record<string, unknown>) => Promise<any>} ask as the owner
 * @param {(content: string, name: string) => Promise<{ url: string }>} upload as the owner
 */
export async function recordUploads(ask, upload) {
  const send = (content) => ask('POST', '/messages', { type: 'channel', to: 'general', topic: 'files', content });
  const { url: kept } = await upload('What is kept', 'kept.txt');
  const { url: gone } = await upload('What is soon gone', 'soon gone.txt');
  const { id } = await send(`[kept](${kept}) and [gone](${gone})`);
  await ask('PATCH', `/messages/${id}`, { content: `Only [kept](${kept})` });
  const { id: deleted } = await send(`[kept](${kept}), soon gone`);
  await ask('DELETE', `/messages/${deleted}`);
  const { attachments } = await ask('GET', '/attachments');
  await ask('DELETE', `/attachments/${attachments.at(-1).id}`);
}
