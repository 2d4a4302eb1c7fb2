import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { eventRegistry } from '../../../events/event-registry.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { NotProvable, type Proof, Proofs } from '../../../platform/transparency/proofs.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { AuditLog } from '../log/audit-log.js';
import { AuditDocuments } from './audit-documents.js';
import { type AuditQuestion, conditionsOf } from './audit-question.js';
import { matchingEvents } from './matching-events.js';
import { requireAuditor } from './require-auditor.js';

/** Proofs that the log has an event, or each event of a message. One of the two is null. */
export class GetAuditProofs extends Query<
  {
    readonly reader: UserRecord;
    readonly eventId: string | null;
    readonly messageId: number | null;
    readonly client: ClientConnection;
  },
  readonly Proof[]
> {}

const NOTHING_ASKED: AuditQuestion = {
  messageId: null,
  channelId: null,
  topic: null,
  subjectId: null,
  actor: null,
  kinds: null,
  client: null,
  from: null,
  to: null,
};

/** Events of a message that are proved in one answer. */
const MOST_PROOFS = 1000;
/** Milliseconds that the tree may be behind the log: it takes 100 ms and a write. */
const TREE_BEHIND_MS = 2000;

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
  async execute({ reader, eventId, messageId, client }: GetAuditProofs): Promise<readonly Proof[]> {
    requireAuditor(reader, this.directory);
    if ((eventId === null) === (messageId === null)) refuse('PROOF_OF_WHAT');
    await this.documents.reach(await this.log.head());
    const found =
      eventId === null ? await this.ofMessage(messageId) : await this.documents.events.find({ id: eventId });
    const last = found.at(-1) ?? refuse('EVENT_NOT_FOUND');
    try {
      const proofs = await Proofs.under(await this.tree.reach(last._id, TREE_BEHIND_MS), this.tree);
      const proved: Proof[] = [];
      for (const event of await this.log.storedOf(found)) {
        assertConnected(client);
        proved.push(await proofs.of(event, eventRegistry.get(event.type)?.secrets ?? []));
      }
      return proved;
    } catch (error) {
      throw error instanceof NotProvable ? new UnavailableError(error.message) : error;
    }
  }

  private async ofMessage(messageId: number | null): Promise<readonly AuditDocument[]> {
    const question = { ...NOTHING_ASKED, messageId };
    const conditions = await conditionsOf(question, this.documents, this.log);
    const page = { order: 'oldest', limit: MOST_PROOFS, after: null } as const;
    return (await matchingEvents(conditions, question, page, this.documents)).found;
  }
}
