import { Controller, Headers, Post } from '@nestjs/common';
import { AheadOfDocumentsRoute } from '../../../directory/http/acknowledged-documents.guard.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ForWebhookBots } from '../../../platform/http/route-marks.js';
import { SendMessage } from '../domain/send-message.js';
import { RenderMessage } from '../queries/render-message.handler.js';
import { RenderMessageParameters, SendMessageParameters } from './messages.parameters.js';
import { addresseeOf, idempotencyKeyOf, localEchoOf } from './send-message.mapping.js';

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
