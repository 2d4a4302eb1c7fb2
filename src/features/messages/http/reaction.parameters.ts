import { IsIn, IsOptional, IsString } from 'class-validator';
import { REACTION_TYPES, type ReactionType } from '../../../events/messages/message.events.js';

/** How clients name an emoji; also `DELETE /messages/{message_id}/reactions`. */
export class EmojiParameters {
  @IsOptional()
  @IsString()
  readonly emoji_name?: string;

  @IsOptional()
  @IsString()
  readonly emoji_code?: string;

  @IsOptional()
  @IsIn([...REACTION_TYPES])
  readonly reaction_type?: ReactionType;
}

/** `POST /messages/{message_id}/reactions`. */
export class AddReactionParameters {
  @IsString()
  readonly emoji_name!: string;

  @IsOptional()
  @IsString()
  readonly emoji_code?: string;

  @IsOptional()
  @IsIn([...REACTION_TYPES])
  readonly reaction_type?: ReactionType;
}
