import { Inject, Injectable } from '@nestjs/common';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { PendingDecisions } from '../../../directory/pending-decisions.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import { SITE } from '../../../platform/kernel/site.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import { directNotice } from '../domain/direct-notice.js';
import { contentOf } from '../domain/message-content.js';
import { ExactlyOnce } from '../log/exactly-once.js';
import { coloursIn } from '../queries/content-colours.js';
import { contentFacts } from '../queries/content-facts.js';

/** A direct message from the server's own account that no event causes. */
export interface KeyedNotice {
  /** Names the notice among all: it is sent once under it, whatever its text then is. */
  readonly key: string;
  readonly reader: UserRecord;
  /** Makes the text from the facts of the time at which the notice is sent. */
  readonly text: () => Promise<string>;
  readonly by: CommandContext;
}

/** Sends messages from the server's own account, rendered with what their readers may see. */
@Injectable()
export class NoticeSending {
  constructor(
    private readonly facts: Facts,
    private readonly colouring: CodeColouring,
    private readonly pending: PendingDecisions,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  /** @returns the message's id */
  async send({ key, reader, text, by }: KeyedNotice): Promise<number> {
    const sendKey = { id: derivedId('notice', key), kind: 'idempotency-key' } as const;
    const sent = await this.pending.hold(() =>
      this.exactlyOnce.send({ key: sendKey, body: key, by }, async () => this.written(await text(), reader)),
    );
    await this.readYourWrites.waitFor(sent.position, [sent.event]);
    return sent.messageId;
  }

  private async written(text: string, reader: UserRecord) {
    const colours = await coloursIn(text, this.facts, this.colouring);
    const facts = await contentFacts(text, reader, null, this.facts, this.site());
    return directNotice(reader._id, contentOf(text, { ...facts, colours }));
  }
}
