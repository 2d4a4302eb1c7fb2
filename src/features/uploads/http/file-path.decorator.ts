import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FilePath as Path } from '../domain/picture-source.js';

export type FilePath = Path;

/** Injects the path of a file from its URL. Clients may have encoded slashes in it. */
export const FilePath = createParamDecorator((_: unknown, context: ExecutionContext): Path => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  const { realm_id_str: realmId = '', folder, file_id: fileId, filename } = params;
  const parts = [folder, fileId, filename]
    .filter((part) => part !== undefined)
    .join('/')
    .split('/');
  const [name = '', file = '', ...folders] = parts.reverse();
  return { realmId, folder: folders.length === 0 ? undefined : folders.reverse().join('/'), fileId: file, name };
});
