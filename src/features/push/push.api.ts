import type { FeatureApi } from '../feature.js';
import { pushHandlers } from './commands/push.handlers.js';
import { PushFacts } from './commands/push-facts.js';
import {
  SendEncryptedTestNotificationHandler,
  SendTestNotificationHandler,
} from './commands/test-notification.handlers.js';
import { OwnDevicesController } from './http/own-devices.controller.js';
import { PushController } from './http/push.controller.js';
import { PushStateReader } from './queries/devices-of.js';
import { GetOwnDevicesHandler } from './queries/get-own-devices.handler.js';

export const api: FeatureApi = {
  controllers: [PushController, OwnDevicesController],
  providers: [
    PushFacts,
    ...pushHandlers,
    GetOwnDevicesHandler,
    SendTestNotificationHandler,
    SendEncryptedTestNotificationHandler,
  ],
  register: [PushStateReader],
};
