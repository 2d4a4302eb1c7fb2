import { Global, Module } from '@nestjs/common';
import { directoryProjection } from '../../projections/directory/directory.projection.js';
import { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { EventCodec } from '../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../platform/log/event-store.js';
import { READ_SIDE, type ReadSide } from './roles/read-side.js';

/** Provides the directory. `startServer` starts its follower, after the projections, and closes it. */
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
          projection: directoryProjection,
          readModels: readSide.readModels,
          directory,
          confirmsByHead: readSide.isShared,
          ...(readSide.membership ? { membership: readSide.membership } : {}),
          onChanged: (position) => readSide.directoryChanged(position),
        }),
    },
  ],
  exports: [DirectoryFollower],
})
export class DirectoryModule {}
