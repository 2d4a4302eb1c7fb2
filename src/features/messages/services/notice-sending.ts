import { Injectable } from '@nestjs/common';
import type { UserRecord } from '../../../directory/directory.records.js';
import { PendingDecisions } from '../../../directory/pending-decisions.js';
import type { MessageSent } from '../../../events/messages/messages.events.js';
import { NOTIFICATION_BOT, type SystemBot } from '../../../events/shared/system-bots.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { directNotice, messageSent } from '../domain/send-message.js';
import { ExactlyOnce, type KeyedSend } from '../log/exactly-once.js';
import { TopicSpellings } from '../log/topic-spellings.js';
import { ContentWriting } from './content-writing.js';

/** A direct message from an account of the server's own that no event causes. */
interface KeyedNotice {
  /** Names the notice among all: it is sent once under it, whatever its text then is. */
  readonly key: string;
  readonly reader: UserRecord;
  /** Absent: the Notification Bot. */
  readonly sender?: SystemBot;
  /** Makes the text from the facts of the time at which the notice is sent. */
  readonly text: () => Promise<string>;
  readonly by: CommandContext;
}

/** A message to a channel from the Notification Bot that a request causes. */
interface ChannelNotice {
  readonly channelId: number;
  readonly topic: string;
  /** Names the cause. Repeats with the same `body` send nothing; one with another body is another notice. */
  readonly key: string;
  readonly body: string;
  /** Whose sight of names and files the text is rendered with. */
  readonly reader: UserRecord;
  readonly text: string;
  readonly by: CommandContext;
}

/** Sends messages from the server's own accounts, rendered with what their readers may see. */
@Injectable()
export class NoticeSending {
  constructor(
    private readonly contents: ContentWriting,
    private readonly pending: PendingDecisions,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
    private readonly spellings: TopicSpellings,
  ) {}

  /** @returns the message's id */
  send({ key, reader, sender, text, by }: KeyedNotice): Promise<number> {
    const sendKey = { id: derivedId('notice', key), kind: 'idempotency-key' } as const;
    return this.sendOnce({ key: sendKey, body: key, by }, async () => {
      const content = await this.contents.content({ text: await text(), writer: reader, place: null });
      return directNotice(reader._id, content, sender);
    });
  }

  /** @returns the message's id */
  sendTo({ channelId, topic, key, body, reader, text, by }: ChannelNotice): Promise<number> {
    const sendKey = { id: derivedId('notice', key), kind: 'local-id' } as const;
    return this.sendOnce({ key: sendKey, body, by }, async () =>
      messageSent({
        senderId: NOTIFICATION_BOT.id,
        recipient: { type: 'channel', channelId, topic: (await this.spellings.first(channelId, topic)) ?? topic },
        content: await this.contents.content({ text, writer: reader, place: null }),
      }),
    );
  }

  private async sendOnce(send: KeyedSend, written: () => Promise<MessageSent>): Promise<number> {
    const sent = await this.pending.hold(() => this.exactlyOnce.send(send, written));
    await this.readYourWrites.waitFor(sent.position, [sent.event]);
    return sent.messageId;
  }
}
