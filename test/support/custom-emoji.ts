import type { Member } from './annals.js';
import { type Answer, ask, fileOf } from './uploads.js';

/** Adds custom emoji as clients do. */
export function addEmoji(url: string, who: Member, name: string, ...pictures: readonly Buffer[]): Promise<Answer> {
  const body = new FormData();
  for (const picture of pictures) body.append('filename', fileOf(picture, 'picture'));
  return ask(url, `/api/v1/realm/emoji/${encodeURIComponent(name)}`, who, { method: 'POST', body });
}
