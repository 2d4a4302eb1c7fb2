import { Inject, Injectable } from '@nestjs/common';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { PendingDecisions } from '../../../directory/pending-decisions.js';
import type { MessageContent } from '../../../events/messages/messages.events.js';
import type { SystemBot } from '../../../events/shared/system-bots.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import { SITE } from '../../../platform/kernel/site.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import { directNotice, noticeIn } from '../domain/direct-notice.js';
import { contentOf } from '../domain/message-content.js';
import { ExactlyOnce } from '../log/exactly-once.js';
import { TopicSpellings } from '../log/topic-spellings.js';
import { coloursIn } from '../queries/content-colours.js';
import { contentFacts } from '../queries/content-facts.js';

/** A direct message from an account of the server's own that no event causes. */
export interface KeyedNotice {
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
export interface ChannelNotice {
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
    private readonly facts: Facts,
    private readonly colouring: CodeColouring,
    private readonly pending: PendingDecisions,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
    private readonly spellings: TopicSpellings,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  /** @returns the message's id */
  async send({ key, reader, sender, text, by }: KeyedNotice): Promise<number> {
    const sendKey = { id: derivedId('notice', key), kind: 'idempotency-key' } as const;
    const sent = await this.pending.hold(() =>
      this.exactlyOnce.send({ key: sendKey, body: key, by }, async () =>
        directNotice(reader._id, await this.content(await text(), reader), sender),
      ),
    );
    await this.readYourWrites.waitFor(sent.position, [sent.event]);
    return sent.messageId;
  }

  /** @returns the message's id */
  async sendTo({ channelId, topic, key, body, reader, text, by }: ChannelNotice): Promise<number> {
    const sendKey = { id: derivedId('notice', key), kind: 'local-id' } as const;
    const sent = await this.pending.hold(() =>
      this.exactlyOnce.send({ key: sendKey, body, by }, async () =>
        noticeIn(
          { type: 'channel', channelId, topic: (await this.spellings.first(channelId, topic)) ?? topic },
          await this.content(text, reader),
        ),
      ),
    );
    await this.readYourWrites.waitFor(sent.position, [sent.event]);
    return sent.messageId;
  }

  private async content(text: string, reader: UserRecord): Promise<MessageContent> {
    const colours = await coloursIn(text, this.facts, this.colouring);
    const facts = await contentFacts(text, reader, null, this.facts, this.site());
    return contentOf(text, { ...facts, colours });
  }
}
