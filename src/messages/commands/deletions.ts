import { Injectable } from '@nestjs/common';
import { attachments } from '../../../projections/attachments.projection.js';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { CommandRunner, type Outcome } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Position } from '../../kernel/position.js';
import { DeleteMessage, type DeleteMessageFacts, decideDeleteMessage } from '../domain/delete-message.js';
import type { MessageDeleted } from '../domain/message.events.js';
import { placedIn } from '../queries/message-to-change.js';
import { lifeOf } from './message-life.js';

type Permission = 'can_delete_any_message_group' | 'can_delete_own_message_group';

/** Deletes messages one by one, and makes sure of many at once that nothing is left of them. */
@Injectable()
export class Deletions {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /**
   * @param asOf where the documents were at least when the message was read
   * @throws DomainError what the rules refuse
   */
  append(
    message: MessageDocument,
    user: UserRecord,
    asOf: Position,
    by: CommandContext,
  ): Promise<Outcome<MessageDeleted>> {
    return this.runner.decide({
      ...lifeOf(message._id),
      decide: decideDeleteMessage,
      command: new DeleteMessage(message._id, by),
      context: this.factsFor(message, user, asOf),
      by,
    });
  }

  /** Resolves when what was written there is nowhere any more. @throws WordsRemainError */
  async finish(outcomes: readonly Outcome<MessageDeleted>[]): Promise<void> {
    const deleted = outcomes.flatMap(({ events }) => events.map(({ data }) => data));
    const isLinking = deleted.some(({ attachmentIds }) => attachmentIds);
    const last = Math.max(...outcomes.map(({ position }) => position));
    const held = [messages, clientEvents, ...(isLinking ? [attachments] : [])];
    await this.readYourWrites.waitForDeletion(last, held, () =>
      this.runner.destroyKeys(deleted.map(({ keyId }) => keyId)),
    );
  }

  private factsFor(message: MessageDocument, user: UserRecord, asOf: Position): DeleteMessageFacts {
    const { directory } = this;
    const channel = message.type === 'channel' ? directory.channel(message.channelId) : undefined;
    const allowed = (to: Permission): boolean => may(user, channel ? { channel, to } : to, directory);
    const isOfTheirBot = directory.user(message.senderId)?.bot?.ownerId === user._id;
    return {
      now: Date.now(),
      ...placedIn(message, asOf),
      mayDeleteAny: allowed('can_delete_any_message_group'),
      mayDeleteOwn: allowed('can_delete_own_message_group'),
      ownSenderIds: new Set(isOfTheirBot ? [user._id, message.senderId] : [user._id]),
      limitSeconds: directory.setting('message_content_delete_limit_seconds'),
    };
  }
}
