import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DOCUMENT_STORE, type DocumentStore } from '../documents/document-store.js';
import { ErrorFilter } from './error.filter.js';
import { Gate } from './gate.js';
import { HTTP_OPTIONS, type HttpOptions, httpDefaults } from './http-options.js';
import { LoginAttemptsInterceptor } from './login-attempts.interceptor.js';
import { LinkGuesses } from './logins/link-guesses.js';
import { LoginLimits } from './logins/login-limits.js';
import { SharedLimits } from './logins/shared-limits.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { OpenApiDocument } from './openapi/openapi-document.js';
import { RateLimits } from './rate-limits.js';
import { REFUSALS, type Refusals } from './refusal.js';
import { RefusalListeners } from './refusal-listeners.js';
import { ShutdownSignal } from './shutdown-signal.js';

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class HttpModule {
  /** @param options the options that differ from `httpDefaults`; the same as for `createHttpAdapter` */
  static register(refusals: Refusals, options: Partial<HttpOptions> = {}): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      controllers: [OpenApiController],
      providers: [
        { provide: HTTP_OPTIONS, useValue: { ...httpDefaults, ...options } },
        { provide: REFUSALS, useValue: refusals },
        { provide: APP_FILTER, useClass: ErrorFilter },
        RefusalListeners,
        RateLimits,
        LinkGuesses,
        {
          provide: SharedLimits,
          inject: [DOCUMENT_STORE],
          useFactory: (store: DocumentStore) => SharedLimits.open(store),
        },
        {
          provide: LoginLimits,
          inject: [DOCUMENT_STORE, SharedLimits, HTTP_OPTIONS],
          useFactory: (store: DocumentStore, limits: SharedLimits, { logins }: HttpOptions) =>
            LoginLimits.open(store, limits, logins),
        },
        LoginAttemptsInterceptor,
        ShutdownSignal,
        Gate,
        OpenApiDocument,
      ],
      exports: [
        HTTP_OPTIONS,
        RefusalListeners,
        RateLimits,
        SharedLimits,
        LinkGuesses,
        LoginLimits,
        LoginAttemptsInterceptor,
        ShutdownSignal,
        Gate,
      ],
    };
  }
}
