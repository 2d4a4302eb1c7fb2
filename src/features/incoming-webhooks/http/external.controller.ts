import { applyDecorators, Controller, Headers, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { AheadOfDocumentsRoute } from '../../../directory/http/acknowledged-documents.guard.js';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { Payload as Body, TakesPayload } from '../../../platform/http/parameters/payload.js';
import { ForWebhookBots } from '../../../platform/http/webhook-bots.decorator.js';
import type { Json } from '../../../platform/kernel/json.js';
import { Payload } from '../domain/payload.js';
import { PostFromService } from '../domain/post-from-service.js';
import { integrationNamed, receive } from '../domain/receive.js';
import { channelNamed, deliveryOf, eventOf, type RequestHeaders } from './external.mapping.js';

const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 100;

/** Names of events, in which `*` stands for any text. */
const ArePatterns = (): PropertyDecorator =>
  applyDecorators(
    MaxLength(LONGEST_PATTERN, { each: true }),
    IsString({ each: true }),
    ArrayMaxSize(MOST_PATTERNS),
    IsArray(),
    JsonText(),
    IsOptional(),
  );

/** The query of `POST /external/{integration}`. */
export class WebhookParameters {
  @IsString()
  readonly api_key!: string;

  @IsOptional()
  @IsString()
  readonly stream?: string;

  @IsOptional()
  @IsString()
  readonly topic?: string;

  @ArePatterns()
  readonly only_events?: readonly string[];

  @ArePatterns()
  readonly exclude_events?: readonly string[];

  @IsOptional()
  @IsString()
  @MaxLength(5000)
  readonly template?: string;
}

@Controller('external')
export class ExternalController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':integration')
  @ForWebhookBots('alone')
  @TakesPayload()
  @AheadOfDocumentsRoute()
  async post(
    @Caller() caller: Caller,
    @Param('integration') name: string,
    @Parameters(WebhookParameters) parameters: WebhookParameters,
    @Body() payload: Json,
    @Headers() headers: RequestHeaders,
  ): Promise<{ id: number } | { ignored: string }> {
    const integration = integrationNamed(name);
    const { stream, topic, only_events: only = null, exclude_events: except = [], template = null } = parameters;
    const about = { event: eventOf(integration, headers), template };
    const received = receive(integration, new Payload(payload), about, { only, except });
    if ('ignored' in received) return received;
    const post = {
      channel: channelNamed(stream),
      topic: topic ?? received.message.topic,
      content: received.message.content,
      delivery: deliveryOf(integration, headers),
    };
    const command = new PostFromService({ post, botId: caller.user._id, by: commandContext(caller) });
    const { messageId: id } = await this.commands.execute(command);
    return { id };
  }
}
