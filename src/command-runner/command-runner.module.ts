import { Global, Module } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { Admission } from '../kernel/admission.js';
import { READ_SIDE, type ReadSide } from '../roles/read-side.js';
import { ReadYourWrites } from './read-your-writes.js';

/** As many as keep both engines busy. Those who wait come in a few at a time, and so go to the engines in smaller groups. */
const AT_ONCE = 512;
/** Before clients give up by themselves. */
const LONGEST_WAIT_MS = 10_000;

@Global()
@Module({
  providers: [
    {
      provide: Admission,
      inject: [CONFIG],
      useFactory: ({ waitingCommands }: Config) =>
        new Admission({ atOnce: AT_ONCE, mostWaiting: waitingCommands, longestWait: LONGEST_WAIT_MS }),
    },
    {
      provide: ReadYourWrites,
      inject: [READ_SIDE, DirectoryFollower, Admission],
      useFactory: (readSide: ReadSide, directory: DirectoryFollower, admission: Admission) =>
        new ReadYourWrites(
          readSide.readModels,
          directory,
          readSide.reactions,
          (position) => readSide.passedEverywhere(position),
          (position, projections) => readSide.wordsGone(position, projections),
          admission,
        ),
    },
  ],
  exports: [Admission, ReadYourWrites],
})
export class CommandRunnerModule {}
