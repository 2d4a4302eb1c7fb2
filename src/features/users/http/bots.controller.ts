import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateBot } from '../domain/create-bot.js';
import { DeactivateBot } from '../domain/deactivate-bot.js';
import { UpdateBot } from '../domain/update-bot.js';
import { type BotSettings, GetBotSettings, GetOwnBots, type OwnBot } from '../queries/get-bots.handler.js';
import { CreateBotParameters, UpdateBotParameters } from './bot.parameters.js';

/** The published description lacks these endpoints. They answer as other servers of this API do. */
@Controller('bots')
export class BotsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ bots: readonly OwnBot[] }> {
    return { bots: await this.dispatch.ask(new GetOwnBots({ owner: user })) };
  }

  @Post()
  async create(@Caller() { by }: Caller, @Parameters() parameters: CreateBotParameters): Promise<object> {
    const { full_name, short_name, bot_type, payload_url: url, interface_type } = parameters;
    const webhook = { url, interface: interface_type };
    const bot = { fullName: full_name, shortName: short_name, type: bot_type, webhook };
    const created = await this.dispatch.do(new CreateBot({ bot, by }));
    const { full_name: _given, ...settings } = await this.settings(created.userId);
    return { user_id: created.userId, api_key: created.apiKey, ...settings };
  }

  @Patch(':bot_id')
  async update(
    @Caller() { by }: Caller,
    @PathId('bot_id') botId: number,
    @Parameters() parameters: UpdateBotParameters,
  ): Promise<BotSettings> {
    const { full_name, role, bot_owner_id, service_payload_url: url, service_interface } = parameters;
    const webhook = { url, interface: service_interface };
    const changes = { fullName: full_name, role, ownerId: bot_owner_id, webhook };
    await this.dispatch.do(new UpdateBot({ botId, changes, by }));
    return this.settings(botId);
  }

  @Delete(':bot_id')
  async deactivate(@Caller() { by }: Caller, @PathId('bot_id') botId: number): Promise<void> {
    await this.dispatch.do(new DeactivateBot({ botId, by }));
  }

  private settings(botId: number): Promise<BotSettings> {
    return this.dispatch.ask(new GetBotSettings({ botId }));
  }
}
