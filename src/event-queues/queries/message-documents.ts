import type { ClientEventDocument } from '../../../projections/client-events.documents.js';
import type { DeletedMessageDocument } from '../../../projections/message-life.js';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import type { Position } from '../../kernel/position.js';
import { firstMessageIds } from './first-message-ids.js';
import { isOfMessageLife } from './message-access.js';
import { isOfMove } from './moved-messages.js';
import { newestIdThrough } from './state/messages.js';

/** Words are not held for longer than it takes the queues of one moment to fetch them. */
const HELD_MS = 2000;
const MAX_HELD = 5000;

interface Held {
  readonly document: Promise<MessageDocument | null>;
  readonly at: number;
}

/** The messages that leave with events: read once, whatever number of queues they leave for. */
export class MessageDocuments {
  private readonly held = new Map<number, Held>();
  private forgetting: NodeJS.Timeout | null = null;

  constructor(private readonly readModels: ReadModels) {}

  /**
   * Those that exist and whose words do.
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
   * Where those were that are gone.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async deletedByIds(ids: readonly number[]): Promise<ReadonlyMap<number, DeletedMessageDocument>> {
    if (ids.length === 0) return new Map();
    const deleted = this.readModels.collection<DeletedMessageDocument>(messages, DELETED_MESSAGES);
    const found = await deleted.find({ _id: { $in: [...new Set(ids)] } });
    return new Map(found.map((document) => [document._id, document]));
  }

  /** What is held of messages that something has happened to is not how they are any more. */
  forget(events: readonly ClientEventDocument[]): void {
    for (const event of events) {
      if (isOfMove(event)) this.held.clear();
      else if (isOfMessageLife(event)) this.held.delete(event.payload.messageId);
    }
  }

  /**
   * The first message of each channel that had one by then, by channel.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async firstIn(channelIds: readonly number[], through: Position): Promise<ReadonlyMap<number, number>> {
    const newest = await newestIdThrough(this.readModels.collection<MessageDocument>(messages, MESSAGES), through);
    const first = await firstMessageIds(this.readModels, channelIds);
    return new Map([...first].filter(([, messageId]) => messageId <= newest));
  }

  private fetch(ids: readonly number[], at: number): void {
    const documents = this.readModels
      .collection<MessageDocument>(messages, MESSAGES)
      .find({ _id: { $in: ids } })
      .then((found) => new Map(found.map((document) => [document._id, document])));
    for (const id of ids) this.held.set(id, { document: documents.then((byId) => byId.get(id) ?? null), at });
    // A failed read is no knowledge: whoever asks next reads again.
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

  /** In the order of their fetching, so the oldest are met first. */
  private forgetBefore(moment: number): void {
    for (const [id, { at }] of this.held) {
      if (at >= moment && this.held.size <= MAX_HELD) return;
      this.held.delete(id);
    }
  }
}
