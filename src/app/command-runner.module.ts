import { Global, Module } from '@nestjs/common';
import { projections } from '../../projections/index.js';
import { directoryEventTypes } from '../directory/directory.changes.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { POLLS, READS, REGISTRATIONS } from '../directory/http/read-turn.guard.js';
import { PendingDecisions } from '../directory/pending-decisions.js';
import type { PartsOfServer } from '../platform/commands/awaited-parts.js';
import { CommandRunner } from '../platform/commands/command-runner.js';
import { Decisions } from '../platform/commands/decisions.js';
import { AccessKeySweeper, AddressKeySweeper } from '../platform/commands/month-key-sweeper.js';
import { AccessKeys } from '../platform/commands/month-keys.js';
import { ReadYourWrites } from '../platform/commands/read-your-writes.js';
import { CONTENT_KEYS, type ContentKeys } from '../platform/content-keys/content-keys.js';
import { FILE_STORE, type FileStore } from '../platform/file-store/file-store.js';
import { Admission } from '../platform/kernel/admission.js';
import { DAY_MS } from '../platform/kernel/durations.js';
import { ReadTurns } from '../platform/kernel/read-turns.js';
import { CONFIG, type Config } from './config/config.js';
import { LONGEST_PENDING_MS } from './directory.module.js';
import { consequences } from './features.js';
import { READ_SIDE, type ReadSide } from './roles/read-side.js';

/**
 * Commands that run at once, which keeps both engines busy. Waiting commands start a few at a time, and so reach the
 * engines in smaller groups.
 */
const AT_ONCE = 512;
/** Shorter than clients wait. */
const LONGEST_WAIT_MS = 10_000;
/** Clients give a poll more than a heartbeat's time. */
const LONGEST_WAIT_OF_POLLS_MS = 40_000;

const directoryTypes: ReadonlySet<string> = new Set(directoryEventTypes);

/** Tells which parts an event changes, and so which an answer waits for (D11). */
export const partsOfServer: PartsOfServer = {
  projections,
  processManagers: consequences,
  changesDirectory: (type) => directoryTypes.has(type),
};

/** Answers of 8 MB at most: some 32 MB of a caller's may wait until the caller takes them. */
const TURNS_OF_READS = { atOnce: 32, atOnceEach: 4, mostWaiting: 8192, longestWait: LONGEST_WAIT_MS };

/** Each takes a large part of a second in a large organization, and some megabytes. */
const TURNS_OF_REGISTRATIONS = { atOnce: 2, atOnceEach: 2, mostWaiting: 8192, longestWait: LONGEST_WAIT_OF_POLLS_MS };

@Global()
@Module({
  providers: [
    {
      provide: Admission,
      inject: [CONFIG],
      useFactory: ({ waitingCommands }: Config) =>
        new Admission({ atOnce: AT_ONCE, mostWaiting: waitingCommands, longestWait: LONGEST_WAIT_MS }),
    },
    { provide: READS, useFactory: () => new ReadTurns(TURNS_OF_READS) },
    { provide: POLLS, useFactory: () => new ReadTurns({ ...TURNS_OF_READS, longestWait: LONGEST_WAIT_OF_POLLS_MS }) },
    { provide: REGISTRATIONS, useFactory: () => new ReadTurns(TURNS_OF_REGISTRATIONS) },
    {
      provide: ReadYourWrites,
      inject: [READ_SIDE, DirectoryFollower, PendingDecisions, Admission],
      useFactory: (readSide: ReadSide, directory: DirectoryFollower, pending: PendingDecisions, admission: Admission) =>
        new ReadYourWrites({
          ...partsOfServer,
          readModels: readSide.readModels,
          ahead: readSide.ahead,
          consequences: readSide.consequences,
          directory,
          everywhere: async (position) => {
            await directory.waitFor(position);
            await Promise.all([
              readSide.passedEverywhere(position),
              pending.waitUntilDecided(position, LONGEST_PENDING_MS),
            ]);
          },
          waitForErasure: (position, held) => readSide.waitForErasure(position, held),
          admission,
        }),
    },
    {
      provide: AddressKeySweeper,
      inject: [CONTENT_KEYS, CONFIG],
      useFactory: (keys: ContentKeys, { addressDays }: Config) => new AddressKeySweeper(keys, addressDays * DAY_MS),
    },
    {
      provide: AccessKeys,
      inject: [CommandRunner],
      useFactory: ({ monthKeys }: CommandRunner) => new AccessKeys(monthKeys),
    },
    {
      provide: AccessKeySweeper,
      inject: [CONTENT_KEYS, CONFIG],
      useFactory: (keys: ContentKeys, { accessDays }: Config) => new AccessKeySweeper(keys, accessDays * DAY_MS),
    },
    {
      provide: Decisions,
      inject: [CommandRunner, ReadYourWrites, FILE_STORE],
      useFactory: (runner: CommandRunner, readYourWrites: ReadYourWrites, files: FileStore) =>
        new Decisions(runner, readYourWrites, files),
    },
  ],
  exports: [AccessKeys, Admission, READS, POLLS, REGISTRATIONS, Decisions, ReadYourWrites],
})
export class CommandRunnerModule {}
