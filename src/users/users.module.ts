import { Module } from '@nestjs/common';
import { ChangeOwnAccountHandler } from './commands/change-own-account.handler.js';
import { CreateBotHandler } from './commands/create-bot.handler.js';
import { CreateUserHandler } from './commands/create-user.handler.js';
import { DeactivateBotHandler } from './commands/deactivate-bot.handler.js';
import { DeactivateOwnUserHandler } from './commands/deactivate-own-user.handler.js';
import { DeactivateUserHandler } from './commands/deactivate-user.handler.js';
import { GrantPermissionHandler } from './commands/grant-permission.handler.js';
import { IssueApiKeyHandler } from './commands/issue-api-key.handler.js';
import { LogInHandler } from './commands/log-in.handler.js';
import { ReactivateUserHandler } from './commands/reactivate-user.handler.js';
import { RegenerateApiKeyHandler } from './commands/regenerate-api-key.handler.js';
import { RegenerateBotApiKeyHandler } from './commands/regenerate-bot-api-key.handler.js';
import { RevokePermissionHandler } from './commands/revoke-permission.handler.js';
import { UpdateBotHandler } from './commands/update-bot.handler.js';
import { UpdateUserHandler } from './commands/update-user.handler.js';
import { UsersStream } from './commands/users-stream.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { BotsController } from './http/bots.controller.js';
import { FetchApiKeyController } from './http/fetch-api-key.controller.js';
import { UsersController } from './http/users.controller.js';
import { GetBotSettingsHandler, GetOwnBotsHandler } from './queries/get-bots.handler.js';
import { GetOwnUserHandler } from './queries/get-own-user.handler.js';
import { FindUserIdHandler, GetUserHandler } from './queries/get-user.handler.js';
import { GetUsersHandler } from './queries/get-users.handler.js';

@Module({
  controllers: [UsersController, ApiKeysController, BotsController, FetchApiKeyController],
  providers: [
    UsersStream,
    ChangeOwnAccountHandler,
    CreateBotHandler,
    CreateUserHandler,
    DeactivateBotHandler,
    DeactivateOwnUserHandler,
    DeactivateUserHandler,
    GrantPermissionHandler,
    IssueApiKeyHandler,
    LogInHandler,
    ReactivateUserHandler,
    RegenerateApiKeyHandler,
    RegenerateBotApiKeyHandler,
    RevokePermissionHandler,
    UpdateBotHandler,
    UpdateUserHandler,
    FindUserIdHandler,
    GetBotSettingsHandler,
    GetOwnBotsHandler,
    GetOwnUserHandler,
    GetUserHandler,
    GetUsersHandler,
  ],
})
export class UsersModule {}
