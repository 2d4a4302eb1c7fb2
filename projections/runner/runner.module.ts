import { Global, Module } from '@nestjs/common';
import type { Config } from '../../src/config/config.js';
import { CONFIG } from '../../src/config/config.token.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../src/document-store/document-store.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../src/event-store/event-store.js';
import { threadEntry } from '../../src/threads/thread-entry.js';
import { projections } from '../index.js';
import { ProjectionRunner } from './projection-runner.js';
import { READ_MODELS } from './read-models.js';

/** Whoever puts the process together starts the runner and closes it. */
@Global()
@Module({
  providers: [
    {
      provide: ProjectionRunner,
      inject: [EVENT_STORE, DOCUMENT_STORE, EventCodec, CONFIG],
      useFactory: (eventStore: EventStore, documentStore: DocumentStore, codec: EventCodec, config: Config) =>
        new ProjectionRunner({
          eventStore,
          documentStore,
          codec,
          projections,
          rebuild: {
            engines: { dataDirectory: config.dataDirectory },
            projectionsModule: threadEntry('projections/index.js'),
          },
        }),
    },
    { provide: READ_MODELS, useExisting: ProjectionRunner },
  ],
  exports: [ProjectionRunner, READ_MODELS],
})
export class RunnerModule {}
