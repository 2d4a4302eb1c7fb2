import type { Directory } from '../../../directory/directory.js';
import { BOT_TYPES } from '../../../events/users/users.settings.js';

/** Finds the generic bots that get a message in a channel because it mentions them by name, and for no other reason. */
export const calledBots = (mentioned: readonly number[], channelId: number, directory: Directory): readonly number[] =>
  mentioned.filter((userId) => {
    const user = directory.user(userId);
    const isCallable = user?.isActive && user.bot?.type === BOT_TYPES.generic;
    return isCallable && !directory.isSubscribed(userId, channelId);
  });
