import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, CallersKeyHash, commandContext } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { EndApiKey } from '../domain/end-api-keys.js';
import { RegenerateApiKey, RegenerateBotApiKey } from '../domain/regenerate-api-key.js';
import { GetApiKeys } from '../queries/get-api-keys.handler.js';

/** Lists, ends and replaces API keys. A key is shown only when it is made, because only its hash is stored. */
@Controller()
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('users/me/api_keys')
  async listOwn(@Caller() { user }: Caller, @CallersKeyHash() keyHash: string): Promise<object> {
    return { api_keys: await this.queries.execute(new GetApiKeys({ owner: user, currentHash: keyHash })) };
  }

  @Delete('users/me/api_keys/:key_id')
  async endOwn(@Caller() caller: Caller, @Param('key_id') keyId: string): Promise<void> {
    const { _id: userId, apiKeys } = caller.user;
    const keyHash = apiKeys.find(({ hash }) => apiKeyId(hash) === keyId)?.hash ?? null;
    await this.commands.execute(new EndApiKey({ userId, keyHash, by: commandContext(caller) }));
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
