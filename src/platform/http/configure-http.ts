import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { API_PREFIX } from './api-prefix.js';
import type { DescribedApi } from './openapi/described-api.js';
import { OpenApiDocument } from './openapi/openapi-document.js';
import { ShutdownSignal } from './shutdown-signal.js';

interface HttpParts {
  /** Paths outside the API, such as `health`. */
  readonly outside?: string[];
  /** Loads what the OpenAPI document says beyond the controllers. */
  readonly described?: () => Promise<DescribedApi>;
}

/** Configures the application on top of its adapter. Called before `init` or `listen`. */
export function configureHttp(app: NestFastifyApplication, { outside = [], described }: HttpParts = {}): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: outside });
  app.get(OpenApiDocument, { strict: false }).describe(app, described);
  const { signal } = app.get(ShutdownSignal, { strict: false });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, _payload, done) => {
      if (signal.aborted) void reply.header('Connection', 'close');
      done();
    });
}
