import type { FeatureApi } from '../feature.js';
import { draftHandlers } from './commands/drafts.handlers.js';
import { DraftsController } from './http/drafts.controller.js';
import { DraftClientEvents, DraftStateReader, draftQueries } from './queries/drafts.queries.js';

export const api: FeatureApi = {
  controllers: [DraftsController],
  providers: [...draftHandlers, ...draftQueries],
  clientEvents: [DraftClientEvents],
  register: [DraftStateReader],
};
