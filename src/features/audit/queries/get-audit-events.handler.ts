import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ANSWER_BYTES } from '../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Query } from '../../../platform/kernel/query.js';
import type { AuditAnswer } from './audit-search.js';
import { type AskedSearch, AuditSearches } from './audit-searches.js';
import type { AuditPage } from './matching-events.js';

/** Events of the log that a question asks for. */
export class GetAuditEvents extends Query<
  AskedSearch & { readonly page: AuditPage; readonly client: ClientConnection },
  AuditAnswer
> {}

@QueryHandler(GetAuditEvents)
export class GetAuditEventsHandler implements IQueryHandler<GetAuditEvents> {
  constructor(
    private readonly searches: AuditSearches,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {}

  /** @throws what `AuditSearches.begin` throws; DomainError WORDS_NOT_RECORDED */
  async execute({ page, client, ...asked }: GetAuditEvents): Promise<AuditAnswer> {
    const search = await this.searches.begin(asked);
    return search.page(page, this.answerBytes, client);
  }
}
