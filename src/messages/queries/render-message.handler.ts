import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { SITE } from '../../kernel/site.js';
import { requireStorable } from '../domain/message-content.js';
import { renderMessage } from '../domain/render-markdown.js';
import { contentFacts } from './content-facts.js';

/** What words would come to as HTML, did somebody send them now. */
export class RenderMessage {
  constructor(
    readonly writer: UserRecord,
    readonly text: string,
  ) {}
}

@QueryHandler(RenderMessage)
export class RenderMessageHandler implements IQueryHandler<RenderMessage, string> {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  /** Refuses with MESSAGE_HAS_NULL_BYTES, MESSAGE_TOO_LONG. */
  async execute({ writer, text }: RenderMessage): Promise<string> {
    requireStorable(text);
    const facts = await contentFacts(text, writer, null, this.directory, this.readModels, this.site());
    return renderMessage(text, facts.names).rendered;
  }
}
