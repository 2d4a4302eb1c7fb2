import type { Member } from './annals.js';
import { type Answer, ask, fileOf } from './uploads.js';

/** Sends pictures to an endpoint as clients do. @param path with its leading slash */
export function sendPictures(
  url: string,
  who: Pick<Member, 'email' | 'apiKey'>,
  path: string,
  ...pictures: readonly Buffer[]
): Promise<Answer> {
  const body = new FormData();
  for (const picture of pictures) body.append('filename', fileOf(picture, 'picture'));
  return ask(url, `/api/v1${path}`, who, { method: 'POST', body });
}
