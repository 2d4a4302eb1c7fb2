import { READ_MODELS } from '../../platform/read-models/read-models.js';
import type { FeatureApi } from '../feature.js';
import { ReadStates } from '../message-flags/queries/read-states.js';
import { MessageRows } from '../messages/queries/reading/rows/message-rows.js';
import { ChangeFlagsHandler } from './commands/change-flags.handler.js';
import { ChangeFlagsInNarrowHandler } from './commands/change-flags-in-narrow.handler.js';
import { FlagReports } from './commands/flag-reports.js';
import { MarkAllReadHandler } from './commands/mark-all-read.handler.js';
import { MarkChannelReadHandler } from './commands/mark-channel-read.handler.js';
import { MarkReadController } from './http/mark-read.controller.js';
import { MessageFlagsController } from './http/message-flags.controller.js';
import { ReadReceiptsController } from './http/read-receipts.controller.js';
import { GetReadReceiptsHandler } from './queries/get-read-receipts.handler.js';

import { FlagClientEvents } from './read-state.client-events.js';

import { FlagStateReader } from './read-state.register.js';

export const api: FeatureApi = {
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
  clientEvents: [FlagClientEvents],
  register: [FlagStateReader],
};
