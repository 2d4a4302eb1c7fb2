import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from '../../../platform/file-store/file-store.js';
import { sendStored } from '../../../platform/http/stored-file-answer.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PICTURE_TYPES } from '../../../platform/pictures/picture-task.js';

/** A picture never changes: another one has another URL. */
export const SHOWN_PICTURE_CACHING = { 'Cache-Control': 'public, max-age=86400' };

/**
 * Answers with a picture that everybody may see, such as an avatar.
 *
 * @param file null: there is none
 * @throws DomainError SHOWN_PICTURE_NOT_FOUND
 */
export async function sendShownPicture(
  file: StoredFile | null,
  format: keyof typeof PICTURE_TYPES,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const picture = file ?? refuse('SHOWN_PICTURE_NOT_FOUND');
  void reply.headers({ ...SHOWN_PICTURE_CACHING, 'Content-Type': PICTURE_TYPES[format] });
  await sendStored(picture, request, reply);
}

/** Sends the client to a picture that another one may replace at any time. */
export const sendToPicture = (url: string, reply: FastifyReply): FastifyReply =>
  reply.headers({ 'Cache-Control': 'private, no-cache', 'Referrer-Policy': 'no-referrer' }).redirect(url, 302);
