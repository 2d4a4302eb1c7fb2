import type { FeatureApi } from '../feature.js';
import { draftHandlers } from './commands/drafts.handlers.js';
import { DraftClientEvents } from './drafts.client-events.js';
import { DraftStateReader } from './drafts.register.js';
import { DraftsController } from './http/drafts.controller.js';
import { draftQueries } from './queries/drafts.queries.js';

export const api: FeatureApi = {
  controllers: [DraftsController],
  providers: [...draftHandlers, ...draftQueries],
  clientEvents: [DraftClientEvents],
  register: [DraftStateReader],
};
