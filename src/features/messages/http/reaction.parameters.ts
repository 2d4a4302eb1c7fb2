import { IsIn, IsOptional, IsString } from 'class-validator';
import { REACTION_TYPES, type ReactionType } from '../../../events/messages/message.events.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';

/** How clients name an emoji; also `DELETE /messages/{message_id}/reactions`. */
export class EmojiParameters {
  @OptionalText() readonly emoji_name?: string;
  @OptionalText() readonly emoji_code?: string;
  @IsOptional() @IsIn([...REACTION_TYPES]) readonly reaction_type?: ReactionType;
}

/** `POST /messages/{message_id}/reactions`. */
export class AddReactionParameters {
  @IsString() readonly emoji_name!: string;
  @OptionalText() readonly emoji_code?: string;
  @IsOptional() @IsIn([...REACTION_TYPES]) readonly reaction_type?: ReactionType;
}
