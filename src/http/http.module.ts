import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AuthenticationGuard } from './authentication.guard.js';
import { ErrorFilter } from './error.filter.js';
import { Gate } from './gate.js';
import { HTTP_OPTIONS, type HttpOptions, httpDefaults } from './http-options.js';
import { LoginAttemptsInterceptor } from './login-attempts.interceptor.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { OpenApiDocument } from './openapi/openapi-document.js';
import { RateLimits } from './rate-limits.js';
import { ReadableParametersGuard } from './readable-parameters.guard.js';
import { ShutdownSignal } from './shutdown-signal.js';

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class HttpModule {
  /**
   * @param options what differs from `httpDefaults`; the same as for `createHttpAdapter`
   * @param imports whichever module provides `Directory`, unless that one is global
   */
  static register(options: Partial<HttpOptions> = {}, imports: ModuleMetadata['imports'] = []): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      imports,
      controllers: [OpenApiController],
      providers: [
        { provide: HTTP_OPTIONS, useValue: { ...httpDefaults, ...options } },
        { provide: APP_GUARD, useClass: AuthenticationGuard },
        { provide: APP_GUARD, useClass: ReadableParametersGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        RateLimits,
        LoginAttemptsInterceptor,
        ShutdownSignal,
        Gate,
        OpenApiDocument,
      ],
      exports: [RateLimits, LoginAttemptsInterceptor, ShutdownSignal, Gate],
    };
  }
}
