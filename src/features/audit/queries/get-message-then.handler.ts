import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Query } from '../../../platform/kernel/query.js';
import { type AskedSearch, AuditSearches } from './audit-searches.js';
import { type MessageQuestion, type MessageThen, messageThen } from './message-then.js';

/** What a message was at a time, and who could read it. */
export class GetMessageThen extends Query<
  Pick<AskedSearch, 'reader' | 'wordsBy'> & { readonly question: MessageQuestion; readonly client: ClientConnection },
  MessageThen
> {}

@QueryHandler(GetMessageThen)
export class GetMessageThenHandler implements IQueryHandler<GetMessageThen> {
  constructor(private readonly searches: AuditSearches) {}

  /**
   * @throws DomainError AUDIT_NOT_ALLOWED, NO_MESSAGE_THEN, WORDS_LEAVE_NO_TRACE, WORDS_NOT_RECORDED; UnavailableError,
   * EventStoreUnavailable
   */
  async execute({ reader, question, client, wordsBy }: GetMessageThen): Promise<MessageThen> {
    return messageThen(question, await this.searches.sourcesFor({ reader, wordsBy }), client);
  }
}
