import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Caller, CallersKeyHash, Requester } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LimitLoginAttempts } from '../../../platform/http/login-attempts.interceptor.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/route-marks.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { rankOf } from '../commands/caller-facts.js';
import {
  EndApiKey,
  EndOthersApiKey,
  keptBy,
  LogIn,
  type LoginResult,
  RegenerateApiKey,
  RegenerateBotApiKey,
} from '../domain/api-keys.js';
import { GetApiKeys } from '../queries/api-keys.queries.js';

export class FetchApiKeyParameters {
  @IsString() readonly username!: string;
  @IsString() readonly password!: string;
}

@Controller('fetch_api_key')
export class FetchApiKeyController {
  constructor(private readonly dispatch: Dispatch) {}

  @Public()
  @Post()
  @LimitLoginAttempts()
  fetch(
    @Requester() requester: CommandContext,
    @Parameters() { username, password }: FetchApiKeyParameters,
  ): Promise<LoginResult> {
    return this.dispatch.do(new LogIn({ email: username, password, by: requester }));
  }
}

/** Lists, ends and replaces API keys. A key is shown only when it is made, because only its hash is stored. */
@Controller()
export class ApiKeysController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly directory: Directory,
  ) {}

  @Get('users/me/api_keys')
  async listOwn(@Caller() { user }: Caller, @CallersKeyHash() keyHash: string): Promise<object> {
    return { api_keys: await this.dispatch.ask(new GetApiKeys({ owner: user, currentHash: keyHash })) };
  }

  @Delete('users/me/api_keys/:key_id')
  async endOwn(@Caller() { user, by }: Caller, @Param('key_id') keyId: string): Promise<void> {
    const { _id: userId } = user;
    const keyHash = hashOf(keyId, user);
    await this.dispatch.do(new EndApiKey({ userId, keyHash, by }));
  }

  /** @throws DomainError ADMINISTRATOR_REQUIRED, USER_NOT_FOUND, OWNER_REQUIRED */
  @Get('users/:user_id/api_keys')
  async listOthers(@Caller() { by }: Caller, @PathId('user_id') userId: number): Promise<object> {
    const owner = keptBy(rankOf(by, this.directory), this.directory.user(userId));
    return { api_keys: await this.dispatch.ask(new GetApiKeys({ owner, currentHash: null })) };
  }

  @Delete('users/:user_id/api_keys/:key_id')
  async endOthers(
    @Caller() { by }: Caller,
    @PathId('user_id') userId: number,
    @Param('key_id') keyId: string,
  ): Promise<void> {
    const keyHash = hashOf(keyId, this.directory.user(userId));
    await this.dispatch.do(new EndOthersApiKey({ userId, keyHash, by }));
  }

  @Post('users/me/api_key/regenerate')
  async regenerateOwn(@Caller() { user, by }: Caller): Promise<{ api_key: string }> {
    return { api_key: await this.dispatch.do(new RegenerateApiKey({ userId: user._id, by })) };
  }

  @Post('bots/:bot_id/api_key/regenerate')
  async regenerateBots(@Caller() { by }: Caller, @PathId('bot_id') botId: number): Promise<{ api_key: string }> {
    return { api_key: await this.dispatch.do(new RegenerateBotApiKey({ botId, by })) };
  }
}

/** @returns null if no key of the account has this id */
const hashOf = (keyId: string, account: UserRecord | undefined): string | null =>
  account?.apiKeys.find(({ hash }) => apiKeyId(hash) === keyId)?.hash ?? null;
