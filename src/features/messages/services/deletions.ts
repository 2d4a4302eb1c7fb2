import { Injectable } from '@nestjs/common';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import type { MessageDeleted } from '../../../events/messages/message.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { Outcome } from '../../../platform/commands/decision-request.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import { decidedMessage } from '../commands/message-stream.js';
import { DeleteMessage, type DeleteMessageFacts, decideDeleteMessage } from '../domain/delete-message.js';
import { placedIn } from '../queries/message-to-change.js';

type Permission = 'can_delete_any_message_group' | 'can_delete_own_message_group';

/** Appends deletions one by one, and destroys the content of many at once. */
@Injectable()
export class Deletions {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /**
   * @param asOf position that the documents had reached before the message was read
   * @throws DomainError if the rules refuse
   */
  append(
    message: MessageDocument,
    user: UserRecord,
    asOf: Position,
    by: CommandContext,
  ): Promise<Outcome<MessageDeleted>> {
    return this.runner.decide({
      ...decidedMessage(message._id),
      decide: decideDeleteMessage,
      command: new DeleteMessage({ messageId: message._id, by }),
      context: this.factsFor(message, user, asOf),
      by,
    });
  }

  /** Resolves when the content of the messages is destroyed everywhere. @throws ContentRemainsError */
  async finish(outcomes: readonly Outcome<MessageDeleted>[]): Promise<void> {
    const deleted = outcomes.flatMap(({ events }) => events);
    const last = Math.max(...outcomes.map(({ position }) => position));
    const { keyIds } = this.runner.endedBy(deleted);
    await this.readYourWrites.waitForDeletion(last, deleted, () => this.runner.destroyKeys(keyIds));
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
