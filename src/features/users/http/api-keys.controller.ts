import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Caller, CallersKeyHash, commandContext } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { rankOf } from '../commands/caller-facts.js';
import { EndApiKey, EndOthersApiKey, keptBy } from '../domain/end-api-keys.js';
import { RegenerateApiKey, RegenerateBotApiKey } from '../domain/regenerate-api-key.js';
import { GetApiKeys } from '../queries/get-api-keys.handler.js';

/** Lists, ends and replaces API keys. A key is shown only when it is made, because only its hash is stored. */
@Controller()
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: Directory,
  ) {}

  @Get('users/me/api_keys')
  async listOwn(@Caller() { user }: Caller, @CallersKeyHash() keyHash: string): Promise<object> {
    return { api_keys: await this.queries.execute(new GetApiKeys({ owner: user, currentHash: keyHash })) };
  }

  @Delete('users/me/api_keys/:key_id')
  async endOwn(@Caller() caller: Caller, @Param('key_id') keyId: string): Promise<void> {
    const { _id: userId } = caller.user;
    const keyHash = hashOf(keyId, caller.user);
    await this.commands.execute(new EndApiKey({ userId, keyHash, by: commandContext(caller) }));
  }

  /** @throws DomainError ADMINISTRATOR_REQUIRED, USER_NOT_FOUND, OWNER_REQUIRED */
  @Get('users/:user_id/api_keys')
  async listOthers(@Caller() caller: Caller, @PathId('user_id') userId: number): Promise<object> {
    const owner = keptBy(rankOf(commandContext(caller), this.directory), this.directory.user(userId));
    return { api_keys: await this.queries.execute(new GetApiKeys({ owner, currentHash: null })) };
  }

  @Delete('users/:user_id/api_keys/:key_id')
  async endOthers(
    @Caller() caller: Caller,
    @PathId('user_id') userId: number,
    @Param('key_id') keyId: string,
  ): Promise<void> {
    const keyHash = hashOf(keyId, this.directory.user(userId));
    await this.commands.execute(new EndOthersApiKey({ userId, keyHash, by: commandContext(caller) }));
  }

  @Post('users/me/api_key/regenerate')
  async regenerateOwn(@Caller() caller: Caller): Promise<{ api_key: string }> {
    return {
      api_key: await this.commands.execute(
        new RegenerateApiKey({ userId: caller.user._id, by: commandContext(caller) }),
      ),
    };
  }

  @Post('bots/:bot_id/api_key/regenerate')
  async regenerateBots(@Caller() caller: Caller, @PathId('bot_id') botId: number): Promise<{ api_key: string }> {
    return { api_key: await this.commands.execute(new RegenerateBotApiKey({ botId, by: commandContext(caller) })) };
  }
}

/** @returns null if no key of the account has this id */
const hashOf = (keyId: string, account: UserRecord | undefined): string | null =>
  account?.apiKeys.find(({ hash }) => apiKeyId(hash) === keyId)?.hash ?? null;
