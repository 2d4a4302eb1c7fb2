import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../kernel/deciding.js';

const ID = /^[1-9]\d{0,14}$/;

function segment(name: string, context: ExecutionContext): string {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  const text = params[name];
  if (text === undefined) throw new TypeError(`the route has no :${name}`);
  return text;
}

/** A positive integer of the path: `remove(@PathId('message_id') messageId: number)`. Refuses others with NOT_FOUND. */
export const PathId = createParamDecorator((name: string, context: ExecutionContext): number => {
  const text = segment(name, context);
  return ID.test(text) ? Number(text) : refuse('NOT_FOUND');
});

/** The path behind the route's `*`, decoded once; its slashes may be encoded: `@Patch('*')`. */
export const PathRest = createParamDecorator((_: unknown, context: ExecutionContext): string => segment('*', context));

/** Text of the path, decoded: an email address, a topic. */
export const PathText = createParamDecorator((name: string, context: ExecutionContext): string => {
  const text = segment(name, context);
  if (text.includes('\0')) refuse('NOT_FOUND');
  return text;
});
