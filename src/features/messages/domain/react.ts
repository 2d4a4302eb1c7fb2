import type { Emoji, Placed, ReactionAdded, ReactionRemoved } from '../../../events/messages/message.events.js';
import {
  AUTO_FOLLOW_TRIGGERS,
  type AutoTopicFacts,
  policyAfter,
} from '../../../events/personal/auto-topic-policy.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type CustomEmojiFacts, emojiNamed, type NamedEmoji } from '../../markdown/emoji.js';
import { type LivingMessage, type MessageState, placed, reactionKey } from './message.state.js';

export class AddReaction extends Command<{
  messageId: number;
  emoji: NamedEmoji & { readonly name: string };
  userId: number;
}> {}

export class RemoveReaction extends Command<{ messageId: number; emoji: NamedEmoji; userId: number }> {}

/** Facts from other streams that a reaction is decided on (D4). */
export interface ReactionFacts extends Placed {
  /** Absent if the reaction cannot change the user's policy for the topic. */
  readonly autoTopic?: AutoTopicFacts;
  /** Absent: the organization has no emoji of its own. */
  readonly customEmoji?: CustomEmojiFacts;
}

export const decideAddReaction: Decide<AddReaction, MessageState, ReactionAdded, ReactionFacts> = (
  { messageId, emoji, userId },
  state,
  where,
) => {
  if (state.status !== 'living') return refuse('INVALID_MESSAGE');
  // Users may join a reaction with a custom emoji that has been deactivated since.
  const joined = emoji.type === 'realm_emoji' ? reactionWith(state, emoji) : undefined;
  const named = joined ?? emojiNamed(emoji, where.customEmoji);
  if (state.reactions.has(reactionKey(userId, named))) refuse('REACTION_ALREADY_EXISTS');
  // A reaction that others have made keeps the name that the first one gave it.
  const first = state.reactions.find((one) => isSameEmoji(one, named));
  const userPolicy = where.autoTopic ? policyAfter(AUTO_FOLLOW_TRIGGERS.participate, where.autoTopic) : null;
  return [
    {
      type: 'ReactionAdded',
      data: {
        messageId,
        ...placed(where),
        userId,
        emojiName: (first ?? named).emojiName,
        emojiCode: named.emojiCode,
        reactionType: named.reactionType,
        ...(userPolicy !== null && { userPolicy }),
      },
    },
  ];
};

export const decideRemoveReaction: Decide<RemoveReaction, MessageState, ReactionRemoved, ReactionFacts> = (
  { messageId, emoji, userId },
  state,
  where,
) => {
  if (state.status !== 'living') return refuse('INVALID_MESSAGE');
  if (emoji.name === null && emoji.code === null) refuse('EMOJI_MISSING');
  const meant = ownReaction(state, userId, emoji, where.customEmoji);
  const mine = state.reactions.get(reactionKey(userId, meant)) ?? refuse('REACTION_DOES_NOT_EXIST');
  const { emojiName, emojiCode, reactionType } = mine;
  return [
    { type: 'ReactionRemoved', data: { messageId, ...placed(where), userId, emojiName, emojiCode, reactionType } },
  ];
};

/** The emoji of a reaction to remove: by its code, else by the name of the user's own reaction, else by its name. */
function ownReaction(
  { reactions }: LivingMessage,
  userId: number,
  { name, code, type }: NamedEmoji,
  customEmoji?: CustomEmojiFacts,
): Pick<Emoji, 'emojiCode' | 'reactionType'> {
  if (code !== null) return { emojiCode: code, reactionType: type ?? 'unicode_emoji' };
  const called = reactions.find((one) => one.userId === userId && one.emojiName === name);
  return called ?? emojiNamed({ name: name ?? '', code, type }, customEmoji);
}

const reactionWith = ({ reactions }: LivingMessage, { code, type }: NamedEmoji): Emoji | undefined =>
  reactions.find((one) => one.emojiCode === code && one.reactionType === type);

const isSameEmoji = (one: Emoji, other: Emoji): boolean =>
  one.emojiCode === other.emojiCode && one.reactionType === other.reactionType;
