import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from '../file-store/file-store.js';

/** Answers with a stored file; to HEAD, with its length alone. */
export async function sendStored(
  { size, content }: StoredFile,
  { method }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isAskedFor = method !== 'HEAD';
  if (!isAskedFor) content.destroy();
  await reply.header('Content-Length', size).send(isAskedFor ? content : Readable.from([]));
}
