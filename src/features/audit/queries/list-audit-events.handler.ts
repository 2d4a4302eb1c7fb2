import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { AuditLog } from '../log/audit-log.js';
import { AuditDocuments } from './audit-documents.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditQuestion } from './audit-question.js';
import { type AuditRange, AuditSearch } from './audit-search.js';
import { requireAuditor } from './require-auditor.js';

/** All events that a question asks for, up to the newest at the question: read as they are wanted. */
export class ListAuditEvents extends Query<
  {
    readonly reader: UserRecord;
    readonly question: AuditQuestion;
    /** Whether each event has a proof. */
    readonly proofs: boolean;
    readonly range: AuditRange;
    readonly client: ClientConnection;
  },
  AsyncGenerator<readonly AuditEntry[]>
> {}

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  private readonly documents: AuditDocuments;

  constructor(
    private readonly directory: Directory,
    private readonly log: AuditLog,
    @Inject(READ_MODELS) readModels: ReadModels,
    private readonly tree: PublishedTree,
  ) {
    this.documents = new AuditDocuments(readModels);
  }

  /** @throws DomainError AUDIT_NOT_ALLOWED, TOPIC_WITHOUT_CHANNEL, NO_ADDRESS; UnavailableError, EventStoreUnavailable */
  async execute({
    reader,
    question,
    range,
    proofs,
    client,
  }: ListAuditEvents): Promise<AsyncGenerator<readonly AuditEntry[]>> {
    requireAuditor(reader, this.directory);
    const { documents, log, tree } = this;
    const search = await AuditSearch.for(question, { documents, log, tree: proofs ? tree : null });
    return search.all(range, client);
  }
}
