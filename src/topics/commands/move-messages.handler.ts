import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { topicId } from '../../../projections/topic-documents.js';
import { CommandRunner, type DecisionRequest } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { firstSpelling } from '../../directory/topic-spellings.js';
import { topicsPolicyOf } from '../../directory/topics-policy.js';
import { refuse, UnavailableError } from '../../kernel/domain-error.js';
import type { Position } from '../../kernel/position.js';
import { ROLES } from '../../kernel/role.js';
import { sha256 } from '../../messages/domain/message.state.js';
import { messageToChange } from '../../messages/queries/message-to-change.js';
import { movableSince } from '../domain/move-limits.js';
import {
  type Destination,
  decideMoveMessages,
  limitedMove,
  type MoveExtent,
  type MoveFacts,
  MoveMessages,
  placeAsked,
} from '../domain/move-messages.js';
import { type MessagesMoved, topicsStream } from '../domain/topics.events.js';
import { type TopicsState, topicsOfChannel } from '../domain/topics.state.js';
import { topicExtent } from '../queries/topic-extent.js';

/** So often may others move the message to yet another channel while somebody moves it. */
const MOST_ATTEMPTS = 10;

type Request = DecisionRequest<MoveMessages, TopicsState, MessagesMoved, MoveFacts>;

@CommandHandler(MoveMessages)
export class MoveMessagesHandler implements ICommandHandler<MoveMessages, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: MoveMessages): Promise<void> {
    const { position } = await this.whereItIs(command, (request) => this.runner.decide(request));
    await this.readYourWrites.waitForFollowing(position, [messages, clientEvents]);
  }

  /** Whether it would be refused now. */
  async check(command: MoveMessages): Promise<void> {
    await this.whereItIs(command, (request) => this.runner.check(request));
  }

  /** The stream that a move is decided on is that of the channel where the message is; that may change meanwhile. */
  private async whereItIs<T>(command: MoveMessages, decide: (request: Request) => Promise<T>): Promise<T> {
    const mover = this.directory.user(command.moverId) ?? refuse('USER_NOT_FOUND');
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const anchor = await this.anchor(command, mover);
      // Nothing of a conversation can be moved: whichever stream it were, the decision is a refusal.
      const channelId = anchor.type === 'channel' ? anchor.channelId : -1;
      try {
        return await decide({
          stream: topicsStream(channelId),
          decider: topicsOfChannel,
          decide: decideMoveMessages,
          command,
          contextAsOf: (position) => this.factsFor(command, mover, channelId, position),
          by: command.by,
        });
      } catch (error) {
        if (!(error instanceof IsElsewhere)) throw error;
      }
    }
    throw new UnavailableError('the message is moved from channel to channel');
  }

  private anchor(command: MoveMessages, mover: UserRecord): Promise<MessageDocument> {
    return messageToChange(command.anchorId, mover, this.directory, this.readModels);
  }

  /** @param position of the last move out of the channel that is decided on: where the message is must be known as of it */
  private async factsFor(
    command: MoveMessages,
    mover: UserRecord,
    channelId: number,
    position: Position,
  ): Promise<MoveFacts> {
    const { directory, readModels } = this;
    await readModels.waitFor([messages], position);
    if (readModels.position(messages) < position)
      throw new UnavailableError('where messages are is not known as far as they have been moved');
    const anchor = await this.anchor(command, mover);
    if (anchor.type === 'channel' && anchor.channelId !== channelId) throw new IsElsewhere();
    const now = Date.now();
    const origin = directory.channel(channelId);
    const from = anchor.type === 'channel' ? { channelId, topic: anchor.topic } : null;
    const to = from && placeAsked(command, from);
    const target = to ? directory.channel(to.channelId) : undefined;
    const isExempt = mover.role <= ROLES.moderator;
    const limits = {
      withinChannelSeconds: directory.setting('move_messages_within_stream_limit_seconds'),
      betweenChannelsSeconds: directory.setting('move_messages_between_streams_limit_seconds'),
    };
    const since = from && to ? movableSince(limitedMove(command, from, to, isExempt), limits, now) : null;
    const mayInOrigin = (what: Parameters<typeof this.mayIn>[1]): boolean => this.mayIn(mover, what, origin);
    return {
      now,
      from,
      anchorSentAt: anchor.sentAt,
      contentSha256: sha256(anchor.text ?? ''),
      destination: target ? this.destination(mover, target) : null,
      topicsPolicy: target ? topicsPolicyOf(target, directory) : directory.setting('topics_policy'),
      topicAsBegun:
        from && to && isOtherTopic(from, to) ? await firstSpelling(readModels, to.channelId, to.topic) : null,
      mayMoveOut: mayInOrigin('can_move_messages_out_of_channel_group'),
      mayMoveWithin: mayInOrigin('can_move_messages_within_channel_group'),
      mayResolve: mayInOrigin('can_resolve_topics_group'),
      isExempt,
      limits,
      extent: anchor.type === 'channel' ? await topicExtent(anchor, mover, since, directory, readModels) : NOTHING,
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
    return channel !== undefined && may(user, { channel, to }, this.directory);
  }

  private destination(mover: UserRecord, channel: ChannelRecord): Destination | null {
    if (!may(mover, { channel, to: 'see' }, this.directory)) return null;
    const { _id: channelId, isArchived } = channel;
    return { channelId, isArchived, mayPost: may(mover, { channel, to: 'post' }, this.directory) };
  }
}

/** The message has come to another channel since it was looked up. */
class IsElsewhere extends Error {}

const NOTHING: MoveExtent = { reach: null, total: 0, following: 0, hidden: 0, allowed: 0, firstAllowedId: null };

const isOtherTopic = (a: { channelId: number; topic: string }, b: { channelId: number; topic: string }): boolean =>
  topicId(a.channelId, a.topic) !== topicId(b.channelId, b.topic);
