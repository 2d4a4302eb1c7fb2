import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { permissionsForClients } from '../../../directory/permissions-for-clients.js';
import { ANSWER_BYTES } from '../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import type { AuditActivity } from './audit-activity.js';
import type { AuditEntry } from './audit-entry.js';
import { type AskedSearch, type AuditAnswer, type AuditRange, AuditSearches, requireAuditor } from './audit-search.js';
import type { AuditPage } from './matching-events.js';
import { type MessageQuestion, type MessageThen, messageThen } from './message-then.js';

/** Who may audit besides owners. */
export class GetAuditors extends Query<{ readonly reader: UserRecord }, object> {}

export const auditorQueries = [
  answersFrom(GetAuditors, Directory, ({ reader }, directory) => {
    requireAuditor(reader, directory);
    const { can_audit_group } = directory.settings;
    return permissionsForClients({ can_audit_group }, directory);
  }),
];

/** How many events a question asks for, by time. */
export class GetAuditActivity extends Query<
  AskedSearch & {
    /** Of a part of time: seconds. */
    readonly width: number;
    readonly after: Position | null;
    readonly client: ClientConnection;
  },
  AuditActivity
> {}

@QueryHandler(GetAuditActivity)
export class GetAuditActivityHandler implements IQueryHandler<GetAuditActivity> {
  constructor(private readonly searches: AuditSearches) {}

  /** @throws what `AuditSearches.begin` throws */
  async execute({ width, after, client, ...asked }: GetAuditActivity): Promise<AuditActivity> {
    const search = await this.searches.begin(asked);
    return search.activity(width, after, client);
  }
}

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
