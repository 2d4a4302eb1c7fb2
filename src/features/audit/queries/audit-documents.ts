import { AUDIT_EVENTS, type AuditDocument, audit } from '../../../../projections/audit/audit.projection.js';
import type { Collection, StoredDocument } from '../../../platform/documents/document-store.js';
import type { Position } from '../../../platform/kernel/position.js';
import { type ReadModels, reach } from '../../../platform/read-models/read-models.js';

/** The documents of the audit. */
export class AuditDocuments {
  constructor(private readonly readModels: ReadModels) {}

  /** The newest position that the documents have. */
  get position(): Position {
    return this.readModels.position(audit);
  }

  /** Waits until the documents have everything up to the position. @throws UnavailableError if that takes too long */
  async reach(position: Position): Promise<void> {
    await reach(position, audit, this.readModels, 'the audit has not yet read the newest events of the log', 2);
  }

  get events(): Collection<AuditDocument> {
    return this.collection<AuditDocument>(AUDIT_EVENTS);
  }

  /** @throws UnavailableError */
  collection<D extends StoredDocument>(name: string): Collection<D> {
    return this.readModels.collection<D>(audit, name);
  }
}
