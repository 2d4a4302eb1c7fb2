import { Inject, Injectable } from '@nestjs/common';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { type ReminderDocument, reminders } from '../../../../projections/reminders/reminders.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { accountOf, isSystemBot } from '../../../directory/system-bots.js';
import type { Position } from '../../../platform/kernel/position.js';
import { SITE } from '../../../platform/kernel/site.js';
import { reach } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';
import { channelMessageAddress, directMessageAddress } from '../../markdown/channel-links.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import { renderMessage } from '../../markdown/render-markdown.js';
import { contentFacts } from '../../messages/queries/content-facts.js';
import { type Quoting, type RemindedMessage, reminderText } from '../domain/reminder-text.js';

/** With the longest note, names and fences, a reminder is no longer than a message may be. */
export const MOST_QUOTED_WHEN_SENT = 3000;
/** A state of a registration has all reminders of a user. */
const MOST_QUOTED_IN_LIST = 1000;

/** The published fields of a reminder. */
export interface ReminderForClients {
  readonly reminder_id: number;
  readonly type: 'private';
  readonly to: readonly [userId: number];
  readonly content: string;
  readonly rendered_content: string;
  /** Seconds since 1970. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: false;
  readonly reminder_target_message_id: number;
}

/** A reminder that is not rendered yet. */
export interface WrittenReminder {
  readonly reminder: ReminderDocument;
  readonly content: string;
  readonly facts: ContentFacts;
}

/** Texts of reminders, made of messages as their readers may read them now. */
@Injectable()
export class ReminderTexts {
  constructor(
    private readonly facts: Facts,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  /**
   * All reminders of a user that are not sent, the next first, as of `at` or later.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async ofUser(reader: UserRecord, at?: Position) {
    const { items, position } = await itemsOf(reminders, reader._id, this.facts.readModels, at);
    return { written: await this.written(items, reader), position };
  }

  /** @throws UnavailableError, DocumentStoreUnavailable */
  async toSend(reminder: ReminderDocument, reader: UserRecord): Promise<string> {
    const { directory, readModels } = this.facts;
    // A message that was deleted or moved away by now is not quoted.
    const through = directory.position;
    await reach(through, messages, readModels, 'the message of a reminder cannot be read yet');
    const found = await this.messagesOf([reminder]);
    return this.textOf(reminder, found, reader, MOST_QUOTED_WHEN_SENT);
  }

  /** Reminders of the reader's as clients are shown them. Long messages are cut: there may be many reminders. */
  async written(items: readonly ReminderDocument[], reader: UserRecord): Promise<readonly WrittenReminder[]> {
    if (items.length === 0) return [];
    const found = await this.messagesOf(items);
    const written: WrittenReminder[] = [];
    for (const reminder of items) {
      const content = this.textOf(reminder, found, reader, MOST_QUOTED_IN_LIST);
      const facts = await contentFacts(content, reader, null, this.facts, this.site());
      written.push({ reminder, content, facts });
    }
    return written;
  }

  private async messagesOf(items: readonly ReminderDocument[]): Promise<ReadonlyMap<number, MessageDocument>> {
    const _id = { $in: [...new Set(items.map(({ messageId }) => messageId))] };
    const found = await this.facts.readModels.collection<MessageDocument>(messages, MESSAGES).find({ _id });
    return new Map(found.map((message) => [message._id, message]));
  }

  private textOf(
    { note, messageId, sendAt }: ReminderDocument,
    found: ReadonlyMap<number, MessageDocument>,
    reader: UserRecord,
    most: number,
  ): string {
    const codeLanguage = this.facts.directory.setting('default_code_block_language');
    const quoting: Quoting = { most, codeLanguage };
    const message = this.readableBy(reader, found.get(messageId));
    return reminderText({ note, message, sendAt, now: Date.now() }, quoting);
  }

  private readableBy(reader: UserRecord, message: MessageDocument | undefined): RemindedMessage | null {
    const { directory } = this.facts;
    if (!message || message.text === null || !mayRead(reader, message, directory)) return null;
    const { _id: id, senderId, text } = message;
    const account = accountOf(senderId, directory);
    if (!account) return null;
    // The server's own accounts cannot be mentioned.
    const sender = isSystemBot(account) ? `**${account.fullName}**` : `@_**${account.fullName}|${senderId}**`;
    if (message.type === 'direct') return { text, sender, address: directMessageAddress(message.participants, id) };
    const channel = directory.channel(message.channelId);
    if (!channel) return null;
    const address = channelMessageAddress({ id: channel._id, name: channel.name }, message.topic, id);
    return { text, sender, address };
  }
}

/** Renders a reminder. Code in it has no colours, which cost much. */
export function reminderForClients({ reminder, content, facts }: WrittenReminder): ReminderForClients {
  const { reminderId, userId, sendAt, messageId } = reminder;
  return {
    reminder_id: reminderId,
    type: 'private',
    to: [userId],
    content,
    rendered_content: renderMessage(content, facts.names, facts.colours).rendered,
    scheduled_delivery_timestamp: Math.floor(sendAt / 1000),
    failed: false,
    reminder_target_message_id: messageId,
  };
}
