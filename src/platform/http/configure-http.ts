import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { API_PREFIX } from './api-prefix.js';
import { OpenApiDocument } from './openapi/openapi-document.js';
import { ShutdownSignal } from './shutdown-signal.js';

/**
 * Configures the application on top of its adapter. Called before `init` or `listen`.
 * @param outside paths outside the API, such as `health`
 */
export function configureHttp(app: NestFastifyApplication, { outside = [] }: { outside?: string[] } = {}): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: outside });
  app.get(OpenApiDocument, { strict: false }).describe(app);
  const { signal } = app.get(ShutdownSignal, { strict: false });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, _payload, done) => {
      if (signal.aborted) void reply.header('Connection', 'close');
      done();
    });
}
