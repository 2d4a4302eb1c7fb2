import { Global, Module } from '@nestjs/common';
import { MessageRows } from '../messages/queries/rows/message-rows.js';
import { ChangeFlagsHandler } from './commands/change-flags.handler.js';
import { ChangeFlagsInNarrowHandler } from './commands/change-flags-in-narrow.handler.js';
import { FlagReports } from './commands/flag-reports.js';
import { LeftBehind } from './commands/left-behind.js';
import { MarkAllReadHandler } from './commands/mark-all-read.handler.js';
import { MarkChannelReadHandler } from './commands/mark-channel-read.handler.js';
import { MutedSender } from './commands/muted-sender.js';
import { MarkReadController } from './http/mark-read.controller.js';
import { MessageFlagsController } from './http/message-flags.controller.js';
import { ReadReceiptsController } from './http/read-receipts.controller.js';
import { GetReadReceiptsHandler } from './queries/get-read-receipts.handler.js';
import { ReadStates } from './queries/read-states.js';

/** Global: whatever shows messages shows their reader's flags, and whoever takes people out of channels changes them. */
@Global()
@Module({
  controllers: [MessageFlagsController, MarkReadController, ReadReceiptsController],
  providers: [
    ReadStates,
    MessageRows,
    FlagReports,
    LeftBehind,
    MutedSender,
    ChangeFlagsHandler,
    ChangeFlagsInNarrowHandler,
    MarkAllReadHandler,
    MarkChannelReadHandler,
    GetReadReceiptsHandler,
  ],
  exports: [ReadStates, MessageRows, LeftBehind, MutedSender],
})
export class ReadStateModule {}
