import type { FeatureApi } from '../feature.js';
import { pushHandlers } from './commands/push.handlers.js';
import { PushFacts } from './commands/push-facts.js';
import { PushController } from './http/push.controller.js';
import { PushStateReader } from './push.register.js';

export const api: FeatureApi = {
  controllers: [PushController],
  providers: [PushFacts, ...pushHandlers],
  register: [PushStateReader],
};
