import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FilePath as Path } from '../queries/get-file.handler.js';

export type FilePath = Path;

/**
 * Injects the path of a file from its URL. If the URL has no part for the id, a client has encoded the slash after it: the
 * name then begins with the id.
 */
export const FilePath = createParamDecorator((_: unknown, context: ExecutionContext): Path => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  const { realm_id_str: realmId = '', file_id: fileId, filename = '' } = params;
  if (fileId !== undefined) return { realmId, fileId, name: filename };
  const slash = filename.indexOf('/');
  return { realmId, fileId: filename.slice(0, Math.max(slash, 0)), name: filename.slice(slash + 1) };
});
