import type { FeatureApi } from '../feature.js';
import { pushHandlers } from './commands/push.handlers.js';
import { PushFacts } from './commands/push-facts.js';
import {
  SendEncryptedTestNotificationHandler,
  SendTestNotificationHandler,
} from './commands/test-notification.handlers.js';
import { PushController } from './http/push.controller.js';
import { PushStateReader } from './push.register.js';

export const api: FeatureApi = {
  controllers: [PushController],
  providers: [PushFacts, ...pushHandlers, SendTestNotificationHandler, SendEncryptedTestNotificationHandler],
  register: [PushStateReader],
};
