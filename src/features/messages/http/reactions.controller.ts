import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { NamedEmoji } from '../../markdown/emoji.js';
import { AddReaction, RemoveReaction } from '../domain/react.js';
import { AddReactionParameters, EmojiParameters } from './reaction.parameters.js';

@Controller('messages/:message_id/reactions')
export class ReactionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  async add(
    @Caller() caller: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(AddReactionParameters) parameters: AddReactionParameters,
  ): Promise<void> {
    const emoji = { ...emojiOf(parameters), name: parameters.emoji_name };
    await this.commands.execute(
      new AddReaction({ messageId, emoji, userId: caller.user._id, by: commandContext(caller) }),
    );
  }

  @Delete()
  async remove(
    @Caller() caller: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(EmojiParameters) parameters: EmojiParameters,
  ): Promise<void> {
    const emoji = emojiOf(parameters);
    await this.commands.execute(
      new RemoveReaction({ messageId, emoji, userId: caller.user._id, by: commandContext(caller) }),
    );
  }
}

const emojiOf = ({ emoji_name, emoji_code, reaction_type }: EmojiParameters): NamedEmoji => ({
  name: emoji_name ?? null,
  code: emoji_code ?? null,
  type: reaction_type ?? null,
});
