import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { BOT_TYPES, WEBHOOK_INTERFACES } from '../../../events/users/users.settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonText, OptionalId, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateBot, DeactivateBot, UpdateBot } from '../domain/bots.js';
import { type BotSettings, GetBotSettings, GetOwnBots, type OwnBot } from '../queries/bots.queries.js';

/** Kinds of bots and of calls are small numbers. The decision refuses those that there are not. */
const MAX_KIND = 1000;
const MAX_URL = 100_000;

class CreateBotParameters {
  @IsString() readonly full_name!: string;

  /** Becomes the address: `<short_name>-bot@…`. */
  @IsString() readonly short_name!: string;

  @JsonText() @IsOptional() @IsInt() @Min(-MAX_KIND) @Max(MAX_KIND) readonly bot_type: number = BOT_TYPES.generic;

  /** Where an outgoing webhook bot is called. */
  @JsonText() @IsOptional() @IsString() @MaxLength(MAX_URL) readonly payload_url: string = '';

  /** 1: in this API's own form; 2: in Slack's. */
  @JsonText()
  @IsOptional()
  @IsInt()
  @Min(-MAX_KIND)
  @Max(MAX_KIND)
  readonly interface_type: number = WEBHOOK_INTERFACES.native;
}

class UpdateBotParameters {
  @OptionalText() readonly full_name?: string;
  @JsonText() @IsOptional() @IsInt() @IsIn(Object.values(ROLES)) readonly role?: Role;
  @OptionalId() readonly bot_owner_id?: number;
  @JsonText() @IsOptional() @IsString() @MaxLength(MAX_URL) readonly service_payload_url?: string;
  @JsonText() @IsOptional() @IsInt() @Min(-MAX_KIND) @Max(MAX_KIND) readonly service_interface?: number;
}

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
