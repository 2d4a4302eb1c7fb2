import { Module } from '@nestjs/common';
import { CreateUserHandler } from './commands/create-user.handler.js';
import { DeactivateUserHandler } from './commands/deactivate-user.handler.js';
import { IssueApiKeyHandler } from './commands/issue-api-key.handler.js';
import { LogInHandler } from './commands/log-in.handler.js';
import { FetchApiKeyController } from './http/fetch-api-key.controller.js';
import { UsersController } from './http/users.controller.js';
import { GetOwnUserHandler } from './queries/get-own-user.handler.js';
import { GetUsersHandler } from './queries/get-users.handler.js';

@Module({
  controllers: [UsersController, FetchApiKeyController],
  providers: [
    CreateUserHandler,
    DeactivateUserHandler,
    IssueApiKeyHandler,
    LogInHandler,
    GetOwnUserHandler,
    GetUsersHandler,
  ],
})
export class UsersModule {}
