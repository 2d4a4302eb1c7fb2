import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { MESSAGES_STREAM } from '../events/messages/messages.events.js';
import { CLIENT_EVENT_WRITERS } from '../features/event-queues/client-event-writer.js';
import { LiveQueues } from '../features/event-queues/services/live-queues.js';
import { STATE_READERS } from '../features/event-queues/state-reader.js';
import { RecordedFiles } from '../features/uploads/log/recorded-files.js';
import { Dispatch } from '../platform/http/dispatch.js';
import { Gate } from '../platform/http/gate.js';
import { HttpModule } from '../platform/http/http.module.js';
import type { HttpOptions } from '../platform/http/http-options.js';
import { HEALTH } from '../platform/kernel/health-source.js';
import { EVENT_STORE } from '../platform/log/event-store.js';
import { ProcessMeter } from '../platform/meter/process-meter.js';
import { CommandRunnerModule } from './command-runner.module.js';
import type { Config } from './config/config.js';
import { AsyncApiController } from './description/asyncapi.controller.js';
import { DirectoryModule } from './directory.module.js';
import { EnginesModule } from './engines.module.js';
import { refusals } from './features.js';
import { guards } from './guards.js';
import { type Health, withFigures } from './health/health.js';
import type { HandlerParts } from './roles/open-server-parts.js';
import { ServerHealth } from './roles/process-health.js';
import { READ_SIDE } from './roles/read-side.js';
import type { FeatureApi } from './served-parts.js';

interface AppOptions {
  readonly config: Config;
  readonly parts: HandlerParts;
  readonly apis: readonly FeatureApi[];
  readonly http: Partial<HttpOptions>;
  /** Public URL of the server, known once it listens. */
  readonly site: () => string;
}

/** The parts of a server; `startServer` starts them in order. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class AppModule {
  static for({ config, parts, apis, http, site }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        EnginesModule.for(config, parts, site),
        DirectoryModule,
        CommandRunnerModule,
        HttpModule.register(refusals, http),
      ],
      controllers: [AsyncApiController, ...apis.flatMap(({ controllers }) => controllers)],
      providers: [
        ...guards,
        Dispatch,
        {
          provide: HEALTH,
          inject: [ProcessMeter, READ_SIDE, DirectoryFollower, Gate, RecordedFiles, EVENT_STORE],
          useFactory: (meter: ProcessMeter, ...known: ConstructorParameters<typeof ServerHealth>): Health =>
            withFigures(new ServerHealth(...known), meter),
        },
        {
          provide: ProcessMeter,
          inject: [LiveQueues],
          useFactory: (queues: LiveQueues) =>
            new ProcessMeter({ messages: MESSAGES_STREAM, eventQueues: () => queues.count() }),
        },
        ...apis.flatMap(({ providers }) => providers),
        ...all(
          CLIENT_EVENT_WRITERS,
          apis.flatMap(({ clientEvents }) => clientEvents),
        ),
        ...all(
          STATE_READERS,
          apis.flatMap(({ register }) => register),
        ),
      ],
    };
  }
}

/** Makes providers of classes, and of a token for the list of their instances. */
const all = (token: symbol, classes: readonly Type[]): Provider[] => [
  ...classes,
  { provide: token, inject: [...classes], useFactory: (...instances: unknown[]) => instances },
];
