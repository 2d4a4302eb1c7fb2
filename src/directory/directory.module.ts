import { Global, Module } from '@nestjs/common';
import { EventCodec } from '../event-codec/event-codec.js';
import { EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { READ_SIDE, type ReadSide } from '../roles/read-side.js';
import { Directory } from './directory.js';
import { DirectoryFollower } from './directory-follower.js';

/** Whoever puts the process together starts the follower, after the projections, and closes it. */
@Global()
@Module({
  providers: [
    {
      provide: DirectoryFollower,
      inject: [EVENT_STORE, EventCodec, READ_SIDE, Directory],
      useFactory: (eventStore: EventStore, codec: EventCodec, readSide: ReadSide, directory: Directory) =>
        new DirectoryFollower({
          eventStore,
          codec,
          readModels: readSide.readModels,
          directory,
          confirmsByHead: readSide.isShared,
          ...(readSide.standing ? { standing: readSide.standing } : {}),
          onChanged: (position) => readSide.directoryChanged(position),
        }),
    },
  ],
  exports: [DirectoryFollower],
})
export class DirectoryModule {}
