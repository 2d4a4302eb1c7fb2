import { Inject, Injectable } from '@nestjs/common';
import type { ClientEventDocument } from '../../../../projections/client-events/client-events.documents.js';
import type { DeletedMessageDocument } from '../../../../projections/messages/message-events.js';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../../projections/messages/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { isMessageChangeEvent } from './message-access.js';
import { isOfMove } from './moved-messages.js';

/** Milliseconds that documents are held: as long as concurrent queues take to fetch them. */
const HELD_MS = 2000;
const MAX_HELD = 5000;

interface Held {
  readonly document: Promise<MessageDocument | null>;
  readonly at: number;
}

/** The messages that events are about, read once for all queues. */
@Injectable()
export class MessageDocuments {
  private readonly held = new Map<number, Held>();
  private forgetting: NodeJS.Timeout | null = null;

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  /**
   * The messages that exist and have their content.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async byIds(ids: readonly number[]): Promise<ReadonlyMap<number, MessageDocument>> {
    const now = Date.now();
    this.forgetBefore(now - HELD_MS);
    this.forgetLater();
    const missing = ids.filter((id) => !this.held.has(id));
    if (missing.length > 0) this.fetch(missing, now);
    const documents = await Promise.all(ids.map((id) => this.held.get(id)?.document));
    const found = new Map<number, MessageDocument>();
    for (const document of documents) if (document && document.text !== null) found.set(document._id, document);
    return found;
  }

  /**
   * The places of deleted messages.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async deletedByIds(ids: readonly number[]): Promise<ReadonlyMap<number, DeletedMessageDocument>> {
    if (ids.length === 0) return new Map();
    const deleted = this.readModels.collection<DeletedMessageDocument>(messages, DELETED_MESSAGES);
    const found = await deleted.find({ _id: { $in: [...new Set(ids)] } });
    return new Map(found.map((document) => [document._id, document]));
  }

  /** Drops held documents that the events have changed. */
  forget(events: readonly ClientEventDocument[]): void {
    for (const event of events) {
      if (isOfMove(event)) this.held.clear();
      else if (isMessageChangeEvent(event)) this.held.delete(event.payload.messageId);
    }
  }

  private fetch(ids: readonly number[], at: number): void {
    const documents = this.readModels
      .collection<MessageDocument>(messages, MESSAGES)
      .find({ _id: { $in: ids } })
      .then((found) => new Map(found.map((document) => [document._id, document])));
    for (const id of ids) this.held.set(id, { document: documents.then((byId) => byId.get(id) ?? null), at });
    // A failed read is dropped: the next caller reads again.
    documents.catch(() => {
      for (const id of ids) if (this.held.get(id)?.at === at) this.held.delete(id);
    });
  }

  private forgetLater(): void {
    this.forgetting ??= setTimeout(() => {
      this.forgetting = null;
      this.forgetBefore(Date.now() - HELD_MS);
      if (this.held.size > 0) this.forgetLater();
    }, HELD_MS).unref();
  }

  /** Held documents are in the order of their fetching: the oldest come first. */
  private forgetBefore(moment: number): void {
    for (const [id, { at }] of this.held) {
      if (at >= moment && this.held.size <= MAX_HELD) return;
      this.held.delete(id);
    }
  }
}
