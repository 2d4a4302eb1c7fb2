import { Controller, Post } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalId, OptionalIds, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SetEditTyping, SetTyping, type TypingOperation } from '../domain/typing.js';

class EditTypingParameters {
  @IsIn(['start', 'stop']) readonly op!: TypingOperation;
}

class TypingParameters extends EditTypingParameters {
  @IsOptional() @IsIn(['direct', 'stream', 'channel']) readonly type: 'direct' | 'stream' | 'channel' = 'direct';

  /** Ids of users. */
  @OptionalIds() readonly to?: readonly number[];

  @OptionalId() readonly stream_id?: number;
  @OptionalText() readonly topic?: string;
}

function typingTo({ type, to, stream_id, topic }: TypingParameters): SetTyping['to'] {
  if (type === 'direct')
    return { type, userIds: [...new Set(to ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'to' }))] };
  const channelId = stream_id ?? refuse('CHANNEL_ID_MISSING');
  return { type: 'channel', channelId, topic: topicNamed(topic ?? refuse('TOPIC_MISSING')) };
}

@Controller()
export class TypingController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post('typing')
  async set(@Caller() { user, by }: Caller, @Parameters() parameters: TypingParameters): Promise<void> {
    const to = typingTo(parameters);
    await this.dispatch.do(new SetTyping({ senderId: user._id, op: parameters.op, to, by }));
  }

  @Post('messages/:message_id/typing')
  async setForEdit(
    @Caller() { user, by }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters() { op }: EditTypingParameters,
  ): Promise<void> {
    await this.dispatch.do(new SetEditTyping({ editorId: user._id, messageId, op, by }));
  }
}
