import { setImmediate } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { ROLES } from '../../../events/shared/role.js';
import { ANSWER_BYTES, ByteBudget, bytesInJson, sizeOfBytes } from '../../../platform/kernel/byte-budget.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { AuditLog } from '../log/audit-log.js';
import { AuditDocuments } from './audit-documents.js';
import { type AuditEntry, auditEntries } from './audit-entry.js';
import { type AuditQuestion, conditionsOf } from './audit-question.js';
import { type AuditPage, type MatchingEvents, matchingEvents } from './matching-events.js';

export interface AuditAnswer {
  readonly events: readonly AuditEntry[];
  /** The parameter `after` of the next page; null: there are no more events. */
  readonly cursor: Position | null;
  readonly found_end: boolean;
}

/** Events of the log that a question asks for. */
export class GetAuditEvents extends Query<
  {
    readonly reader: UserRecord;
    readonly question: AuditQuestion;
    readonly page: AuditPage;
    readonly client: ClientConnection;
  },
  AuditAnswer
> {}

/** Events that are read from the log at once. */
const AT_ONCE = 100;

@QueryHandler(GetAuditEvents)
export class GetAuditEventsHandler implements IQueryHandler<GetAuditEvents> {
  private readonly documents: AuditDocuments;

  constructor(
    private readonly log: AuditLog,
    @Inject(READ_MODELS) readModels: ReadModels,
    private readonly directory: Directory,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {
    this.documents = new AuditDocuments(readModels);
  }

  /** @throws DomainError OWNER_REQUIRED, TOPIC_WITHOUT_CHANNEL; UnavailableError, EventStoreUnavailable */
  async execute({ reader, question, page, client }: GetAuditEvents): Promise<AuditAnswer> {
    if (reader.role !== ROLES.owner) refuse('OWNER_REQUIRED');
    // Every change that was acknowledged before the question is in the answer.
    await this.documents.reach(await this.log.head());
    const conditions = await conditionsOf(question, this.documents, this.log);
    const matching = await matchingEvents(conditions, question, page, this.documents);
    return this.written(matching, client);
  }

  /** The entries that an answer has room for. */
  private async written({ found, next }: MatchingEvents, client: ClientConnection): Promise<AuditAnswer> {
    const budget = new ByteBudget(this.answerBytes);
    const events: AuditEntry[] = [];
    for (let at = 0; at < found.length; at += AT_ONCE) {
      if (at > 0) await setImmediate();
      assertConnected(client);
      const some = await this.log.eventsOf(found.slice(at, at + AT_ONCE));
      for (const entry of await auditEntries(some, this.documents, this.directory)) {
        if (budget.admits(sizeOfBytes(bytesInJson(entry)))) events.push(entry);
        else return { events, cursor: events.at(-1)?.position ?? null, found_end: false };
      }
    }
    return { events, cursor: next, found_end: next === null };
  }
}
