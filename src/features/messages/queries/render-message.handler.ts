import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import { renderMessage } from '../../markdown/render-markdown.js';
import { storedText } from '../domain/message-content.js';
import { coloursIn } from './content-colours.js';
import { contentFacts } from './content-facts.js';

/** Renders a text to the HTML that a message sent now would have. */
export class RenderMessage extends Query<{ writer: UserRecord; text: string }, string> {}

@QueryHandler(RenderMessage)
export class RenderMessageHandler implements IQueryHandler<RenderMessage> {
  constructor(
    private readonly facts: Facts,
    private readonly colouring: CodeColouring,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  /** @throws DomainError MESSAGE_HAS_NULL_BYTES */
  async execute({ writer, text: written }: RenderMessage): Promise<string> {
    const text = storedText(written);
    const colours = await coloursIn(text, this.facts, this.colouring);
    const facts = await contentFacts(text, writer, null, this.facts, this.site());
    return renderMessage(text, facts.names, colours).rendered;
  }
}
