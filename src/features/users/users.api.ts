import type { FeatureApi } from '../feature.js';
import {
  ConfirmEmailChangeHandler,
  RequestPasswordResetHandler,
  ResetPasswordHandler,
  VetoEmailChangeHandler,
} from './commands/account-link.handlers.js';
import { AccountLinkSweeper } from './commands/account-link-sweeper.js';
import { ApiKeySweeper } from './commands/api-key-sweeper.js';
import { ChangeOwnAccountHandler } from './commands/change-own-account.handler.js';
import { CreateBotHandler } from './commands/create-bot.handler.js';
import { LogInHandler } from './commands/log-in.handler.js';
import { RegenerateApiKeyHandler } from './commands/regenerate-api-key.handler.js';
import { RegenerateBotApiKeyHandler } from './commands/regenerate-bot-api-key.handler.js';
import { userHandlers } from './commands/users.handlers.js';
import { AccountPagesController } from './http/account-pages.controller.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { BotsController } from './http/bots.controller.js';
import { FetchApiKeyController } from './http/fetch-api-key.controller.js';
import { UsersController } from './http/users.controller.js';
import { GetAccountLinkHandler, GetVetoedLinkHandler } from './queries/get-account-link.handler.js';
import { GetBotSettingsHandler, GetOwnBotsHandler } from './queries/get-bots.handler.js';
import { GetOwnApiKeysHandler } from './queries/get-own-api-keys.handler.js';
import { GetOwnUserHandler } from './queries/get-own-user.handler.js';
import { FindUserIdHandler, GetUserHandler } from './queries/get-user.handler.js';
import { GetUsersHandler } from './queries/get-users.handler.js';

import { UserClientEvents } from './users.client-events.js';

import { UserStateReader } from './users.register.js';

export const api: FeatureApi = {
  controllers: [UsersController, AccountPagesController, ApiKeysController, BotsController, FetchApiKeyController],
  providers: [
    ...userHandlers,
    AccountLinkSweeper,
    ApiKeySweeper,
    ChangeOwnAccountHandler,
    ConfirmEmailChangeHandler,
    GetAccountLinkHandler,
    GetVetoedLinkHandler,
    RequestPasswordResetHandler,
    ResetPasswordHandler,
    VetoEmailChangeHandler,
    CreateBotHandler,
    LogInHandler,
    RegenerateApiKeyHandler,
    RegenerateBotApiKeyHandler,
    FindUserIdHandler,
    GetBotSettingsHandler,
    GetOwnApiKeysHandler,
    GetOwnBotsHandler,
    GetOwnUserHandler,
    GetUserHandler,
    GetUsersHandler,
  ],
  clientEvents: [UserClientEvents],
  register: [UserStateReader],
};
