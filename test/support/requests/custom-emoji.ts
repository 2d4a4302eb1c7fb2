import type { Member } from '../servers/annals.js';
import { sendPictures } from './picture-uploads.js';
import type { Answer } from './uploads.js';

/** Adds custom emoji as clients do. */
export const addEmoji = (url: string, who: Member, name: string, ...pictures: readonly Buffer[]): Promise<Answer> =>
  sendPictures(url, who, `/realm/emoji/${encodeURIComponent(name)}`, ...pictures);
