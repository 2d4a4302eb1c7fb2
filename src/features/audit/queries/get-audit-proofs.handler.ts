import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import type { Proof } from '../../../platform/transparency/proofs.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { AuditLog } from '../log/audit-log.js';
import { EventProofs } from '../log/event-proofs.js';
import { requireAuditor } from '../services/audit-search.js';
import { AuditDocuments } from './audit-documents.js';
import { ALL_EVENTS, conditionsOf } from './audit-question.js';
import { matchingEvents } from './matching-events.js';

/** Proofs that the log has an event, or each event of a message. One of the two is null. */
export class GetAuditProofs extends Query<
  {
    readonly reader: UserRecord;
    readonly eventId: string | null;
    readonly messageId: number | null;
    readonly connection: ClientConnection;
  },
  readonly Proof[]
> {}

/** Events of a message that are proved in one answer. */
const MOST_PROOFS = 1000;

@QueryHandler(GetAuditProofs)
export class GetAuditProofsHandler implements IQueryHandler<GetAuditProofs> {
  private readonly documents: AuditDocuments;

  constructor(
    private readonly directory: Directory,
    private readonly log: AuditLog,
    @Inject(READ_MODELS) readModels: ReadModels,
    private readonly tree: PublishedTree,
  ) {
    this.documents = new AuditDocuments(readModels);
  }

  /** @throws DomainError AUDIT_NOT_ALLOWED, EVENT_NOT_FOUND, PROOF_OF_WHAT; UnavailableError, EventStoreUnavailable */
  async execute({ reader, eventId, messageId, connection }: GetAuditProofs): Promise<readonly Proof[]> {
    requireAuditor(reader, this.directory);
    if ((eventId === null) === (messageId === null)) refuse('PROOF_OF_WHAT');
    await this.documents.reach(await this.log.head());
    const found =
      eventId === null ? await this.ofMessage(messageId) : await this.documents.events.find({ id: eventId });
    const last = found.at(-1) ?? refuse('EVENT_NOT_FOUND');
    const proofs = await EventProofs.upTo(last._id, this.tree);
    return proofs.of(await this.log.storedOf(found), connection);
  }

  private async ofMessage(messageId: number | null): Promise<readonly AuditDocument[]> {
    const question = { ...ALL_EVENTS, messageId };
    const conditions = await conditionsOf(question, this.documents, this.log);
    const page = { order: 'oldest', limit: MOST_PROOFS, after: null } as const;
    return (await matchingEvents(conditions, question, page, this.documents)).found;
  }
}
