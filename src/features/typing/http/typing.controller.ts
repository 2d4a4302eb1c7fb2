import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import { IsId, JsonText, OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SetEditTyping, SetTyping, type TypingOperation } from '../domain/typing.js';

class EditTypingParameters {
  @IsIn(['start', 'stop'])
  readonly op!: TypingOperation;
}

class TypingParameters extends EditTypingParameters {
  @IsOptional()
  @IsIn(['direct', 'stream', 'channel'])
  readonly type: 'direct' | 'stream' | 'channel' = 'direct';

  /** Ids of users. */
  @OptionalIds()
  readonly to?: readonly number[];

  @JsonText()
  @IsOptional()
  @IsId()
  readonly stream_id?: number;

  @IsOptional()
  @IsString()
  readonly topic?: string;
}

function typingTo({ type, to, stream_id, topic }: TypingParameters): SetTyping['to'] {
  if (type === 'direct')
    return { type, userIds: [...new Set(to ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'to' }))] };
  const channelId = stream_id ?? refuse('CHANNEL_ID_MISSING');
  return { type: 'channel', channelId, topic: topicNamed(topic ?? refuse('TOPIC_MISSING')) };
}

@Controller()
export class TypingController {
  constructor(private readonly commands: CommandBus) {}

  @Post('typing')
  async set(@Caller() caller: Caller, @Parameters(TypingParameters) parameters: TypingParameters): Promise<void> {
    const to = typingTo(parameters);
    await this.commands.execute(
      new SetTyping({ senderId: caller.user._id, op: parameters.op, to, by: commandContext(caller) }),
    );
  }

  @Post('messages/:message_id/typing')
  async setForEdit(
    @Caller() caller: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(EditTypingParameters) { op }: EditTypingParameters,
  ): Promise<void> {
    await this.commands.execute(
      new SetEditTyping({ editorId: caller.user._id, messageId, op, by: commandContext(caller) }),
    );
  }
}
