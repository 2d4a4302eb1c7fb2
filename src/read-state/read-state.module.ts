import { Global, Module } from '@nestjs/common';
import { ChangeFlagsHandler } from './commands/change-flags.handler.js';
import { ChangeFlagsInNarrowHandler } from './commands/change-flags-in-narrow.handler.js';
import { FlagReports } from './commands/flag-reports.js';
import { LeftBehind } from './commands/left-behind.js';
import { MarkAllReadHandler } from './commands/mark-all-read.handler.js';
import { MarkChannelReadHandler } from './commands/mark-channel-read.handler.js';
import { MarkReadController } from './http/mark-read.controller.js';
import { MessageFlagsController } from './http/message-flags.controller.js';
import { ReadStates } from './queries/read-states.js';

/** Global: whatever shows messages shows their reader's flags, and whoever takes people out of channels changes them. */
@Global()
@Module({
  controllers: [MessageFlagsController, MarkReadController],
  providers: [
    ReadStates,
    FlagReports,
    LeftBehind,
    ChangeFlagsHandler,
    ChangeFlagsInNarrowHandler,
    MarkAllReadHandler,
    MarkChannelReadHandler,
  ],
  exports: [ReadStates, LeftBehind],
})
export class ReadStateModule {}
