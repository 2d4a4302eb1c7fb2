import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { SetEditTyping } from '../domain/set-edit-typing.js';
import { SetTyping } from '../domain/set-typing.js';
import { typingTo } from './typing.mapping.js';
import { EditTypingParameters, TypingParameters } from './typing.parameters.js';

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
