import { Controller, Headers, Post } from '@nestjs/common';
import { IsIn, IsString } from 'class-validator';
import { AheadOfDocumentsRoute } from '../../../directory/http/acknowledged-documents.guard.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  Alias,
  JsonOrText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ForWebhookBots } from '../../../platform/http/route-marks.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { type Addressee, SendMessage } from '../domain/send-message.js';
import { RenderMessage } from '../queries/render-message.queries.js';
import { IsAddressee } from './is-addressee.js';

/** Parameters of `POST /messages`. */
export class SendMessageParameters {
  @IsIn(['direct', 'channel', 'stream', 'private']) readonly type!: 'direct' | 'channel' | 'stream' | 'private';
  @JsonOrText() @IsAddressee() readonly to!: string | number | readonly string[] | readonly number[];
  @IsString() readonly content!: string;
  @Alias('subject') @OptionalText() readonly topic?: string;
  @OptionalText() readonly queue_id?: string;
  @OptionalText() readonly local_id?: string;
  @OptionalFlag() readonly read_by_sender?: boolean;
}

/** `POST /messages/render`. */
class RenderMessageParameters {
  @IsString() readonly content!: string;
}

const MAX_KEY_LENGTH = 255;

/** Reads `to`. A channel may come as a list of one element, addresses as one text with commas. */
export function addresseeOf({ type, to, topic }: SendMessageParameters): Addressee {
  if (type === 'direct' || type === 'private') {
    const users = typeof to === 'string' ? to.split(',').map((address) => address.trim()) : [to].flat();
    // Removes duplicates: each user is looked up once.
    return { type: 'direct', users: [...new Set<string | number>(users)].filter((user) => user !== '') };
  }
  const channels: readonly (string | number)[] = [to].flat();
  const [channel] = channels;
  if (channel === undefined || channels.length > 1) refuse('ONE_CHANNEL_EXPECTED');
  return { type: 'channel', channel, topic: topic ?? null };
}

/** Reads both or neither: without its queue, nothing would get a `local_id` back. */
function localEchoOf({ queue_id, local_id }: SendMessageParameters): { queueId: string; localId: string } | null {
  if (queue_id === undefined) return local_id === undefined ? null : refuse('QUEUE_ID_MISSING');
  if (local_id === undefined) return refuse('LOCAL_ID_MISSING');
  if (local_id.length > MAX_KEY_LENGTH || queue_id.length > MAX_KEY_LENGTH)
    refuse('KEY_TOO_LONG', { limit: MAX_KEY_LENGTH });
  return { queueId: queue_id, localId: local_id };
}

/** The `Idempotency-Key` header: any text of 1 to 255 characters. */
function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header === '' || header.length > MAX_KEY_LENGTH) refuse('KEY_TOO_LONG', { limit: MAX_KEY_LENGTH });
  return header;
}

@Controller('messages')
export class MessagesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  @ForWebhookBots('too')
  @AheadOfDocumentsRoute()
  async send(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: SendMessageParameters,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<{ id: number; automatic_new_visibility_policy?: number }> {
    const message = {
      to: addresseeOf(parameters),
      content: parameters.content,
      readBySender: parameters.read_by_sender ?? null,
      localEcho: localEchoOf(parameters),
      idempotencyKey: idempotencyKeyOf(idempotencyKey),
    };
    const command = new SendMessage({ message, senderId: user._id, by });
    const { messageId: id, senderPolicy } = await this.dispatch.do(command);
    return senderPolicy === undefined ? { id } : { id, automatic_new_visibility_policy: senderPolicy };
  }

  @Post('render')
  async render(
    @Caller() { user }: Caller,
    @Parameters() { content }: RenderMessageParameters,
  ): Promise<{ rendered: string }> {
    return { rendered: await this.dispatch.ask(new RenderMessage({ writer: user, text: content })) };
  }
}
