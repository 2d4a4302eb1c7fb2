import { Global, Logger, Module } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../projections/runner/read-models.js';
import { CONTENT_KEYS, type ContentKeys } from '../content-keys/content-keys.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { DOCUMENT_STORE, type DocumentStore } from '../document-store/document-store.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { channelCreation } from '../process-managers/channel-creation.js';
import { ProcessManagers } from '../process-managers/process-managers.js';
import { CommandRunner } from './command-runner.js';
import { ReadYourWrites } from './read-your-writes.js';

@Global()
@Module({
  providers: [
    {
      provide: CommandRunner,
      inject: [EVENT_STORE, CONTENT_KEYS, EventCodec],
      useFactory: (eventStore: EventStore, contentKeys: ContentKeys, codec: EventCodec) =>
        new CommandRunner(eventStore, contentKeys, codec),
    },
    {
      provide: ProcessManagers,
      inject: [EVENT_STORE, DOCUMENT_STORE, EventCodec, CommandRunner],
      useFactory: (eventStore: EventStore, documents: DocumentStore, codec: EventCodec, runner: CommandRunner) => {
        const logger = new Logger('ProcessManagers');
        return new ProcessManagers(eventStore, documents, codec, runner, [channelCreation], (error) =>
          logger.error(error),
        );
      },
    },
    {
      provide: ReadYourWrites,
      inject: [READ_MODELS, DirectoryFollower, ProcessManagers],
      useFactory: (readModels: ReadModels, directory: DirectoryFollower, processManagers: ProcessManagers) =>
        new ReadYourWrites(readModels, directory, processManagers),
    },
  ],
  exports: [CommandRunner, ProcessManagers, ReadYourWrites],
})
export class CommandRunnerModule {}
