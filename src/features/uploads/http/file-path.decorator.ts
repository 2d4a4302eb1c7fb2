import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FilePath as Path } from '../queries/get-file.handler.js';

export type FilePath = Path;

/** Injects the path of a file from its URL. */
export const FilePath = createParamDecorator((_: unknown, context: ExecutionContext): Path => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  const { realm_id_str: realmId = '', file_id: fileId = '', filename: name = '' } = params;
  return { realmId, fileId, name };
});
