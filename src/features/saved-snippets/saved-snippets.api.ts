import type { FeatureApi } from '../feature.js';
import { savedSnippetHandlers } from './commands/saved-snippets.handlers.js';
import { SavedSnippetsController } from './http/saved-snippets.controller.js';
import {
  SavedSnippetClientEvents,
  SavedSnippetStateReader,
  savedSnippetQueries,
} from './queries/saved-snippets.queries.js';

export const api: FeatureApi = {
  controllers: [SavedSnippetsController],
  providers: [...savedSnippetHandlers, ...savedSnippetQueries],
  clientEvents: [SavedSnippetClientEvents],
  register: [SavedSnippetStateReader],
};
