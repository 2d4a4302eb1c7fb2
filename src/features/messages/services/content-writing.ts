import { Inject, Injectable } from '@nestjs/common';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import type { MessageContent, Recipient } from '../../../events/messages/messages.events.js';
import { SITE } from '../../../platform/kernel/site.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import type { CodeColours } from '../../markdown/code-facts.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import { contentOf } from '../domain/message-content.js';
import { coloursIn } from '../queries/content-colours.js';
import { contentFacts } from '../queries/content-facts.js';

/** A text, and its writer, whose rights decide on names and files in it. */
interface Written {
  readonly text: string;
  readonly writer: UserRecord;
  /** null if the writer may not write there. */
  readonly place: Recipient | null;
}

/** Makes content of texts: of people, of bots and of the server itself. */
@Injectable()
export class ContentWriting {
  constructor(
    readonly facts: Facts,
    private readonly colouring: CodeColouring,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  coloursOf(text: string): Promise<CodeColours> {
    return coloursIn(text, this.facts, this.colouring);
  }

  /** Gathers all facts that content is decided on. */
  async factsFor({ text, writer, place }: Written, colours: CodeColours): Promise<ContentFacts> {
    return { ...(await contentFacts(text, writer, place, this.facts, this.site())), colours };
  }

  /** @throws DomainError as `contentOf` does */
  async content(written: Written): Promise<MessageContent> {
    const colours = await this.coloursOf(written.text);
    return contentOf(written.text, await this.factsFor(written, colours));
  }
}
