import { Controller, Delete, Post } from '@nestjs/common';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { REACTION_TYPES, type ReactionType } from '../../../events/messages/message.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { NamedEmoji } from '../../markdown/emoji.js';
import { AddReaction, RemoveReaction } from '../domain/react.js';

/** How clients name an emoji; also `DELETE /messages/{message_id}/reactions`. */
export class EmojiParameters {
  @OptionalText() readonly emoji_name?: string;
  @OptionalText() readonly emoji_code?: string;
  @IsOptional() @IsIn([...REACTION_TYPES]) readonly reaction_type?: ReactionType;
}

/** `POST /messages/{message_id}/reactions`. */
class AddReactionParameters {
  @IsString() readonly emoji_name!: string;
  @OptionalText() readonly emoji_code?: string;
  @IsOptional() @IsIn([...REACTION_TYPES]) readonly reaction_type?: ReactionType;
}

@Controller('messages/:message_id/reactions')
export class ReactionsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async add(
    @Caller() { user, by }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters() parameters: AddReactionParameters,
  ): Promise<void> {
    const emoji = { ...emojiOf(parameters), name: parameters.emoji_name };
    await this.dispatch.do(new AddReaction({ messageId, emoji, userId: user._id, by }));
  }

  @Delete()
  async remove(
    @Caller() { user, by }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters() parameters: EmojiParameters,
  ): Promise<void> {
    const emoji = emojiOf(parameters);
    await this.dispatch.do(new RemoveReaction({ messageId, emoji, userId: user._id, by }));
  }
}

const emojiOf = ({ emoji_name, emoji_code, reaction_type }: EmojiParameters): NamedEmoji => ({
  name: emoji_name ?? null,
  code: emoji_code ?? null,
  type: reaction_type ?? null,
});
