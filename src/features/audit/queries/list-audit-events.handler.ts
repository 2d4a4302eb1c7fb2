import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Query } from '../../../platform/kernel/query.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditRange } from './audit-search.js';
import { type AskedSearch, AuditSearches } from './audit-searches.js';

type Parts = AsyncGenerator<readonly AuditEntry[], void>;

/** All events that a question asks for, up to the newest at the question: read as they are wanted. */
export class ListAuditEvents extends Query<
  AskedSearch & { readonly range: AuditRange; readonly client: ClientConnection },
  Parts
> {}

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(private readonly searches: AuditSearches) {}

  /**
   * Reads the first part at once: if that fails, the whole request is refused.
   * @throws what `AuditSearches.begin` throws; DomainError WORDS_NOT_RECORDED
   */
  async execute({ range, client, ...asked }: ListAuditEvents): Promise<Parts> {
    const search = await this.searches.begin(asked);
    const parts = search.all(range, client);
    return continued(await parts.next(), parts);
  }
}

async function* continued(first: IteratorResult<readonly AuditEntry[], void>, others: Parts): Parts {
  if (first.done) return;
  yield first.value;
  yield* others;
}
