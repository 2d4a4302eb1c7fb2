import { FOR_A_DAY, Redirect, ServedFile } from '../../../platform/http/answers/served-file.js';
import type { Dispatch } from '../../../platform/http/dispatch.js';
import type { IncomingFile, StreamedBody } from '../../../platform/http/parameters/streamed-body.js';
import { DomainError, type RefusalCode, refuse } from '../../../platform/kernel/deciding.js';
import { PICTURE_TYPES } from '../../../platform/pictures/picture-task.js';
import { LARGEST_PICTURE_MIB, MIB } from '../domain/upload-settings.js';
import { ReadShownPicture, type ShownPicture } from '../queries/shown-pictures.queries.js';

/**
 * Gives the one file of a request that is to become a picture.
 *
 * @param notOne the refusal of a body of no file, or of several; default: those of uploads
 * @throws DomainError FILE_TOO_LARGE, and those of the body
 */
export async function pictureIn(body: StreamedBody, notOne?: RefusalCode): Promise<IncomingFile> {
  const limit = LARGEST_PICTURE_MIB;
  const tooLarge = new DomainError('FILE_TOO_LARGE', { limit });
  return body.file(limit * MIB, { tooLarge, ...(notOne && { notOne }) });
}

/**
 * Opens a picture that everybody may see, such as an avatar. It never changes: another picture has another URL.
 *
 * @param picture null: there is none
 * @throws DomainError SHOWN_PICTURE_NOT_FOUND
 */
export async function shownPicture(picture: ShownPicture | null, dispatch: Dispatch): Promise<ServedFile> {
  const shown = picture ?? refuse('SHOWN_PICTURE_NOT_FOUND');
  const content = (await dispatch.ask(new ReadShownPicture(shown))) ?? refuse('SHOWN_PICTURE_NOT_FOUND');
  return new ServedFile({ type: PICTURE_TYPES[shown.format], headers: FOR_A_DAY, content });
}

/** Sends the client to a picture that another one may replace at any time. */
export const toPicture = (url: string): Redirect =>
  new Redirect(url, { 'Cache-Control': 'private, no-cache', 'Referrer-Policy': 'no-referrer' });
