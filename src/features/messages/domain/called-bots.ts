import { BOT_TYPES } from '../../../events/users/users.settings.js';
import type { MentionedUser } from '../../personal/domain/mentioned-user.js';

/** The generic bots that get a message in a channel because it mentions them by name, and for no other reason. */
export const calledBotsAmong = (mentioned: readonly MentionedUser[], senderId: number): readonly number[] =>
  mentioned.flatMap(({ id, isActive, botType, isSubscribed }) =>
    id !== senderId && isActive && botType === BOT_TYPES.generic && !isSubscribed ? [id] : [],
  );
