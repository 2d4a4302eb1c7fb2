import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { ACTS, type HabitFacts, policyAfter } from '../../personal/domain/topic-habits.settings.js';
import { emojiNamed, type NamedEmoji } from './emoji.js';
import type { Emoji, Placed, ReactionAdded, ReactionRemoved } from './message.events.js';
import { type LivingMessage, type MessageState, reactionKey } from './message.state.js';
import { placed } from './placed.js';

export class AddReaction {
  constructor(
    readonly messageId: number,
    readonly emoji: NamedEmoji & { readonly name: string },
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

export class RemoveReaction {
  constructor(
    readonly messageId: number,
    readonly emoji: NamedEmoji,
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

/** What is known of others when somebody reacts (D4). */
export interface ReactionFacts extends Placed {
  /** Absent where no reaction changes the topic to who reacts. */
  readonly habits?: HabitFacts;
}

export const decideAddReaction: Decide<AddReaction, MessageState, ReactionAdded, ReactionFacts> = (
  { messageId, emoji, userId },
  state,
  where,
) => {
  if (state.status !== 'living') return refuse('INVALID_MESSAGE');
  const named = emojiNamed(emoji);
  if (state.reactions.has(reactionKey(userId, named))) refuse('REACTION_ALREADY_EXISTS');
  // Who joins in with others calls it what they do.
  const first = state.reactions.find((one) => isSameEmoji(one, named));
  const { emojiName } = first ?? named;
  const userPolicy = where.habits ? policyAfter(ACTS.participate, where.habits) : null;
  const more = userPolicy === null ? {} : { userPolicy };
  return [{ type: 'ReactionAdded', data: { messageId, ...placed(where), userId, ...named, emojiName, ...more } }];
};

export const decideRemoveReaction: Decide<RemoveReaction, MessageState, ReactionRemoved, ReactionFacts> = (
  { messageId, emoji, userId },
  state,
  where,
) => {
  if (state.status !== 'living') return refuse('INVALID_MESSAGE');
  if (emoji.name === null && emoji.code === null) refuse('EMOJI_MISSING');
  const meant = ownReaction(state, userId, emoji);
  const mine = state.reactions.get(reactionKey(userId, meant)) ?? refuse('REACTION_DOES_NOT_EXIST');
  const { emojiName, emojiCode, reactionType } = mine;
  return [
    { type: 'ReactionRemoved', data: { messageId, ...placed(where), userId, emojiName, emojiCode, reactionType } },
  ];
};

/** By its code, else by what it is called: on this message, or everywhere. */
function ownReaction(
  { reactions }: LivingMessage,
  userId: number,
  { name, code, type }: NamedEmoji,
): Pick<Emoji, 'emojiCode' | 'reactionType'> {
  if (code !== null) return { emojiCode: code, reactionType: type ?? 'unicode_emoji' };
  const called = reactions.find((one) => one.userId === userId && one.emojiName === name);
  return called ?? emojiNamed({ name: name ?? '', code, type });
}

const isSameEmoji = (one: Emoji, other: Emoji): boolean =>
  one.emojiCode === other.emojiCode && one.reactionType === other.reactionType;
