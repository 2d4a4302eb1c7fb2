import { Global, Logger, Module } from '@nestjs/common';
import { directoryProjection } from '../../projections/directory/directory.projection.js';
import { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { Facts } from '../directory/facts.js';
import { KeyUseListeners } from '../directory/http/key-use.guard.js';
import { KeyUses } from '../directory/key-uses.js';
import { PendingDecisions } from '../directory/pending-decisions.js';
import { DOCUMENT_STORE, type DocumentStore } from '../platform/documents/document-store.js';
import { EventCodec } from '../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../platform/log/event-store.js';
import { CONFIG, type Config } from './config/config.js';
import { READ_SIDE, type ReadSide } from './roles/read-side.js';

/** Longest wait for a decision that is being stored: as long as the barrier waits for a process. */
export const LONGEST_PENDING_MS = 5000;

/**
 * Provides the directory, facts, and when keys were used. `startServer` starts the follower of the directory after the
 * projections, and closes it.
 */
@Global()
@Module({
  providers: [
    Facts,
    KeyUseListeners,
    {
      provide: DirectoryFollower,
      inject: [EVENT_STORE, EventCodec, READ_SIDE, Directory, PendingDecisions, CONFIG],
      useFactory: (
        eventStore: EventStore,
        codec: EventCodec,
        readSide: ReadSide,
        directory: Directory,
        pending: PendingDecisions,
        { answerWaitMs }: Config,
      ) =>
        new DirectoryFollower({
          eventStore,
          codec,
          projection: directoryProjection,
          readModels: readSide.readModels,
          directory,
          longestWait: answerWaitMs,
          confirmsByHead: readSide.isShared,
          ...(readSide.membership ? { membership: readSide.membership } : {}),
          onChanged: (position) =>
            void pending.waitUntilDecided(position, LONGEST_PENDING_MS).then(() => readSide.directoryChanged(position)),
        }),
    },
    {
      provide: KeyUses,
      inject: [DOCUMENT_STORE],
      useFactory: (store: DocumentStore) => {
        const log = new Logger('Authentication');
        return KeyUses.open(store, (error) => log.error(`uses of API keys are not stored: ${String(error)}`));
      },
    },
  ],
  exports: [DirectoryFollower, Facts, KeyUseListeners, KeyUses],
})
export class DirectoryModule {}
