import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { ChannelRecord, UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import { type MessagesMoved, topicId, topicsStream } from '../../../events/messages/topics.events.js';
import { ROLES } from '../../../events/shared/role.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { DecisionRequest } from '../../../platform/commands/decision-request.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import type { Position } from '../../../platform/kernel/position.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { reach } from '../../../platform/read-models/read-models.js';
import { movableSince } from '../domain/move-limits.js';
import {
  type Destination,
  decideMoveMessages,
  limitedMove,
  type MoveExtent,
  type MoveFacts,
  MoveMessages,
  type TopicsState,
  targetPlace,
  topicsOfChannel,
} from '../domain/move-messages.js';
import { firstSpelling } from '../log/topic-spellings.js';
import { messageToChange } from '../queries/message-to-change.js';
import { topicExtent } from '../queries/topic-extent.js';

/** Attempts before the move gives up because others move the message to other channels meanwhile. */
const MOST_ATTEMPTS = 10;

type Request = DecisionRequest<MoveMessages, TopicsState, MessagesMoved, MoveFacts>;

@CommandHandler(MoveMessages)
export class MoveMessagesHandler implements ICommandHandler<MoveMessages> {
  constructor(
    private readonly facts: Facts,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: MoveMessages): Promise<void> {
    const { events, position } = await this.onItsStream(command, (request) => this.runner.decide(request));
    await this.readYourWrites.waitFor(position, events);
  }

  /** Refuses if the move would be refused now. @returns whether it would move anything */
  async check(command: MoveMessages): Promise<boolean> {
    return (await this.onItsStream(command, (request) => this.runner.check(request))).length > 0;
  }

  /** Decides on the stream of the message's channel. Tries again if the channel changes meanwhile. */
  private async onItsStream<T>(command: MoveMessages, decide: (request: Request) => Promise<T>): Promise<T> {
    const mover = this.facts.directory.existingUser(command.moverId);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const anchor = await this.anchor(command, mover);
      // A move in a conversation is refused on any stream.
      const channelId = anchor.type === 'channel' ? anchor.channelId : -1;
      try {
        return await decide({
          stream: topicsStream(channelId),
          decider: topicsOfChannel,
          expects: 'any',
          decide: decideMoveMessages,
          command,
          contextAsOf: (position) => this.factsFor(command, mover, channelId, position),
          by: command.by,
        });
      } catch (error) {
        if (!(error instanceof MovedMeanwhile)) throw error;
      }
    }
    throw new UnavailableError('the message is moved from channel to channel');
  }

  private anchor(command: MoveMessages, mover: UserRecord): Promise<MessageDocument> {
    return messageToChange(command.anchorId, mover, this.facts);
  }

  /** @param position of the last move out of the channel: documents must have reached it to know the message's place */
  private async factsFor(
    command: MoveMessages,
    mover: UserRecord,
    channelId: number,
    position: Position,
  ): Promise<MoveFacts> {
    const { directory, readModels } = this.facts;
    await reach(position, messages, readModels, 'where messages are is not known as far as they have been moved');
    const anchor = await this.anchor(command, mover);
    if (anchor.type === 'channel' && anchor.channelId !== channelId) throw new MovedMeanwhile();
    const now = Date.now();
    const origin = directory.channel(channelId);
    const from = anchor.type === 'channel' ? { channelId, topic: anchor.topic } : null;
    const to = from && targetPlace(command, from);
    const target = to ? directory.channel(to.channelId) : undefined;
    const isExempt = mover.role <= ROLES.moderator;
    const limits = {
      withinChannelSeconds: directory.setting('move_messages_within_stream_limit_seconds'),
      betweenChannelsSeconds: directory.setting('move_messages_between_streams_limit_seconds'),
    };
    const since = from && to ? movableSince(limitedMove(command, from, to, isExempt), limits, now) : null;
    const mayInOrigin = (to: Parameters<typeof this.mayIn>[1]): boolean => this.mayIn(mover, to, origin);
    return {
      now,
      from,
      anchorSentAt: anchor.sentAt,
      contentSha256: sha256Of(anchor.text ?? ''),
      destination: target ? this.destination(mover, target) : null,
      topicsPolicy: target ? topicsPolicyOf(target, directory) : directory.setting('topics_policy'),
      existingTopic:
        from && to && isOtherTopic(from, to) ? await firstSpelling(readModels, to.channelId, to.topic) : null,
      mayMoveOut: mayInOrigin('can_move_messages_out_of_channel_group'),
      mayMoveWithin: mayInOrigin('can_move_messages_within_channel_group'),
      mayResolve: mayInOrigin('can_resolve_topics_group'),
      isExempt,
      limits,
      extent: anchor.type === 'channel' ? await topicExtent(anchor, mover, since, this.facts) : NO_EXTENT,
    };
  }

  private mayIn(
    user: UserRecord,
    to:
      | 'can_move_messages_out_of_channel_group'
      | 'can_move_messages_within_channel_group'
      | 'can_resolve_topics_group',
    channel: ChannelRecord | undefined,
  ): boolean {
    return channel !== undefined && may(user, { channel, to }, this.facts.directory);
  }

  private destination(mover: UserRecord, channel: ChannelRecord): Destination | null {
    if (!may(mover, { channel, to: 'see' }, this.facts.directory)) return null;
    const { _id: channelId, isArchived } = channel;
    return { channelId, isArchived, mayPost: may(mover, { channel, to: 'post' }, this.facts.directory) };
  }
}

/** The message has moved to another channel since it was looked up. */
class MovedMeanwhile extends Error {}

const NO_EXTENT: MoveExtent = { reach: null, total: 0, following: 0, hidden: 0, allowed: 0, firstAllowedId: null };

const isOtherTopic = (a: { channelId: number; topic: string }, b: { channelId: number; topic: string }): boolean =>
  topicId(a.channelId, a.topic) !== topicId(b.channelId, b.topic);
