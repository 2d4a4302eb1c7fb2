import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatch } from '../../../platform/http/dispatch.js';
import { sendStored } from '../../../platform/http/stored-file-answer.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PICTURE_TYPES } from '../../../platform/pictures/picture-task.js';
import { ReadShownPicture, type ShownPicture } from '../queries/shown-pictures.queries.js';

/** A picture never changes: another one has another URL. */
export const SHOWN_PICTURE_CACHING = { 'Cache-Control': 'public, max-age=86400' };

/**
 * Answers with a picture that everybody may see, such as an avatar.
 *
 * @param picture null: there is none
 * @throws DomainError SHOWN_PICTURE_NOT_FOUND
 */
export async function sendShownPicture(
  picture: ShownPicture | null,
  dispatch: Dispatch,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const shown = picture ?? refuse('SHOWN_PICTURE_NOT_FOUND');
  const file = (await dispatch.ask(new ReadShownPicture(shown))) ?? refuse('SHOWN_PICTURE_NOT_FOUND');
  void reply.headers({ ...SHOWN_PICTURE_CACHING, 'Content-Type': PICTURE_TYPES[shown.format] });
  await sendStored(file, request, reply);
}

/** Sends the client to a picture that another one may replace at any time. */
export const sendToPicture = (url: string, reply: FastifyReply): FastifyReply =>
  reply.headers({ 'Cache-Control': 'private, no-cache', 'Referrer-Policy': 'no-referrer' }).redirect(url, 302);
