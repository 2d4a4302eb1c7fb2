import { Injectable } from '@nestjs/common';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { AUTO_FOLLOW_TRIGGERS } from '../../../events/personal/auto-topic-policy.settings.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { AutoTopicPolicies } from '../../personal/services/auto-topic-policies.js';
import {
  AddReaction,
  decideAddReaction,
  decideRemoveReaction,
  type ReactionFacts,
  RemoveReaction,
} from '../domain/react.js';
import { messageToChange, placedIn } from '../queries/message-to-change.js';
import { decidedMessage } from './message-stream.js';

/** Sources of the facts about a reaction. */
@Injectable()
export class ReactionSources {
  constructor(
    readonly facts: Facts,
    readonly autoTopicPolicies: AutoTopicPolicies,
  ) {}
}

const reacting = {
  stream: ({ messageId }: AddReaction | RemoveReaction) => decidedMessage(messageId),
  uses: ReactionSources,
  facts: async (
    { messageId, userId }: AddReaction | RemoveReaction,
    { facts, autoTopicPolicies }: ReactionSources,
  ): Promise<ReactionFacts> => {
    const user = facts.directory.existingUser(userId);
    const asOf = facts.readModels.position(messages);
    const message = await messageToChange(messageId, user, facts);
    const autoTopic =
      message.type === 'channel'
        ? await autoTopicPolicies.factsFor(user, message, AUTO_FOLLOW_TRIGGERS.participate)
        : null;
    return { ...placedIn(message, asOf), ...(autoTopic && { autoTopic }), customEmoji: facts.directory.customEmoji };
  },
};

export const reactionHandlers = [
  decidesOn(AddReaction, { ...reacting, decide: decideAddReaction }),
  decidesOn(RemoveReaction, { ...reacting, decide: decideRemoveReaction }),
];
