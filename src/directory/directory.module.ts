import { Global, Module } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../projections/runner/read-models.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { Directory } from './directory.js';
import { DirectoryFollower } from './directory-follower.js';

/** Whoever puts the process together starts the follower, after the projections, and closes it. */
@Global()
@Module({
  providers: [
    Directory,
    {
      provide: DirectoryFollower,
      inject: [EVENT_STORE, EventCodec, READ_MODELS, Directory],
      useFactory: (eventStore: EventStore, codec: EventCodec, readModels: ReadModels, directory: Directory) =>
        new DirectoryFollower({ eventStore, codec, readModels, directory }),
    },
  ],
  exports: [Directory, DirectoryFollower],
})
export class DirectoryModule {}
