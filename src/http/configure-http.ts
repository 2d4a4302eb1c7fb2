import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ShutdownSignal } from './shutdown-signal.js';

/** Where every route of the API lives. */
export const API_PREFIX = 'api/v1';

/**
 * What the application needs on top of its adapter; before `init` or `listen`.
 * @param outside paths that are no part of the API, such as `health`
 */
export function configureHttp(app: NestFastifyApplication, { outside = [] }: { outside?: string[] } = {}): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: outside });
  const { signal } = app.get(ShutdownSignal, { strict: false });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (_request, reply) => {
      if (signal.aborted) void reply.header('Connection', 'close');
    });
}
