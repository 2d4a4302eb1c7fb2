import { Global, Module } from '@nestjs/common';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { READ_SIDE, type ReadSide } from '../roles/read-side.js';
import { ReadYourWrites } from './read-your-writes.js';

@Global()
@Module({
  providers: [
    {
      provide: ReadYourWrites,
      inject: [READ_SIDE, DirectoryFollower],
      useFactory: (readSide: ReadSide, directory: DirectoryFollower) =>
        new ReadYourWrites(
          readSide.readModels,
          directory,
          readSide.reactions,
          (position) => readSide.passedEverywhere(position),
          (position) => readSide.wordsGone(position),
        ),
    },
  ],
  exports: [ReadYourWrites],
})
export class CommandRunnerModule {}
