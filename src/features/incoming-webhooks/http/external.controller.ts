import { applyDecorators, Controller, Headers, Param, Post } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { AheadOfDocumentsRoute } from '../../../directory/http/acknowledged-documents.guard.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonText, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { JsonPayload, TakesPayload } from '../../../platform/http/parameters/payload.js';
import { ForWebhookBots } from '../../../platform/http/route-marks.js';
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
class WebhookParameters {
  @IsString() readonly api_key!: string;
  @OptionalText() readonly stream?: string;
  @OptionalText() readonly topic?: string;
  @ArePatterns() readonly only_events?: readonly string[];
  @ArePatterns() readonly exclude_events?: readonly string[];
  @IsOptional() @IsString() @MaxLength(5000) readonly template?: string;
}

@Controller('external')
export class ExternalController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post(':integration')
  @ForWebhookBots('alone')
  @TakesPayload()
  @AheadOfDocumentsRoute()
  async post(
    @Caller() { user, by }: Caller,
    @Param('integration') name: string,
    @Parameters() parameters: WebhookParameters,
    @JsonPayload() payload: Json,
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
    const command = new PostFromService({ post, botId: user._id, by });
    const { messageId: id } = await this.dispatch.do(command);
    return { id };
  }
}
