import { Global, Module } from '@nestjs/common';
import { READ_MODELS } from '../../projections/runner/read-models.js';
import { MessageRows } from '../messages/queries/rows/message-rows.js';
import { ChangeFlagsHandler } from './commands/change-flags.handler.js';
import { ChangeFlagsInNarrowHandler } from './commands/change-flags-in-narrow.handler.js';
import { FlagReports } from './commands/flag-reports.js';
import { MarkAllReadHandler } from './commands/mark-all-read.handler.js';
import { MarkChannelReadHandler } from './commands/mark-channel-read.handler.js';
import { MarkReadController } from './http/mark-read.controller.js';
import { MessageFlagsController } from './http/message-flags.controller.js';
import { ReadReceiptsController } from './http/read-receipts.controller.js';
import { GetReadReceiptsHandler } from './queries/get-read-receipts.handler.js';
import { ReadStates } from './queries/read-states.js';

/** Global: whatever shows messages shows their reader's flags. What is read is shared with the process managers. */
@Global()
@Module({
  controllers: [MessageFlagsController, MarkReadController, ReadReceiptsController],
  providers: [
    { provide: ReadStates, inject: [READ_MODELS], useFactory: ReadStates.sharedBy },
    { provide: MessageRows, inject: [READ_MODELS], useFactory: MessageRows.sharedBy },
    FlagReports,
    ChangeFlagsHandler,
    ChangeFlagsInNarrowHandler,
    MarkAllReadHandler,
    MarkChannelReadHandler,
    GetReadReceiptsHandler,
  ],
  exports: [ReadStates, MessageRows],
})
export class ReadStateModule {}
