import type { FeatureApi } from '../feature.js';
import { GetMessagesController } from './http/get-messages.controller.js';
import { GetMatchingMessagesHandler } from './queries/get-matching-messages.handler.js';
import { GetMessagesHandler } from './queries/get-messages.handler.js';
import { GetMessagesByIdHandler } from './queries/get-messages-by-id.handler.js';

export const api: FeatureApi = {
  controllers: [GetMessagesController],
  providers: [GetMessagesHandler, GetMessagesByIdHandler, GetMatchingMessagesHandler],
};
