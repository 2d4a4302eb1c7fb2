import type { FeatureApi } from '../feature.js';
import { SetEditTypingHandler } from './commands/set-edit-typing.handler.js';
import { SetTypingHandler } from './commands/set-typing.handler.js';
import { TypingController } from './http/typing.controller.js';

export const api: FeatureApi = {
  controllers: [TypingController],
  providers: [SetTypingHandler, SetEditTypingHandler],
};
