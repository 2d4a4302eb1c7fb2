import type { IncomingFile, StreamedBody } from '../../../platform/http/parameters/streamed-body.js';
import { DomainError, type RefusalCode } from '../../../platform/kernel/deciding.js';
import { LARGEST_PICTURE_MIB, MIB } from '../domain/upload-settings.js';

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
