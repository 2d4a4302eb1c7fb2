import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { ANSWER_BYTES } from '../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { AuditLog } from '../log/audit-log.js';
import { AuditDocuments } from './audit-documents.js';
import type { AuditQuestion } from './audit-question.js';
import { type AuditAnswer, AuditSearch } from './audit-search.js';
import type { AuditPage } from './matching-events.js';
import { requireAuditor } from './require-auditor.js';

/** Events of the log that a question asks for. */
export class GetAuditEvents extends Query<
  {
    readonly reader: UserRecord;
    readonly question: AuditQuestion;
    /** Whether each event has a proof. */
    readonly proofs: boolean;
    readonly page: AuditPage;
    readonly client: ClientConnection;
  },
  AuditAnswer
> {}

@QueryHandler(GetAuditEvents)
export class GetAuditEventsHandler implements IQueryHandler<GetAuditEvents> {
  private readonly documents: AuditDocuments;

  constructor(
    private readonly directory: Directory,
    private readonly log: AuditLog,
    @Inject(READ_MODELS) readModels: ReadModels,
    private readonly tree: PublishedTree,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {
    this.documents = new AuditDocuments(readModels);
  }

  /** @throws DomainError AUDIT_NOT_ALLOWED, TOPIC_WITHOUT_CHANNEL, NO_ADDRESS; UnavailableError, EventStoreUnavailable */
  async execute({ reader, question, page, proofs, client }: GetAuditEvents): Promise<AuditAnswer> {
    requireAuditor(reader, this.directory);
    const { documents, log, tree } = this;
    const search = await AuditSearch.for(question, { documents, log, tree: proofs ? tree : null });
    return search.page(page, this.answerBytes, client);
  }
}
