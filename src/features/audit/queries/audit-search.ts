import { setImmediate } from 'node:timers/promises';
import { ByteBudget, bytesInJson, sizeOfBytes } from '../../../platform/kernel/byte-budget.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { AuditLog } from '../log/audit-log.js';
import type { AuditDocuments } from './audit-documents.js';
import { type AuditEntry, auditEntries } from './audit-entry.js';
import { type AuditCondition, type AuditQuestion, conditionsOf } from './audit-question.js';
import { type AuditPage, type MatchingEvents, matchingEvents } from './matching-events.js';

export interface AuditAnswer {
  readonly events: readonly AuditEntry[];
  /** The parameter `after` of the next page; null: there are no more events. */
  readonly cursor: Position | null;
  readonly found_end: boolean;
}

/** A page without an end of its own. null: without a limit. */
export type AuditRange = Omit<AuditPage, 'limit' | 'upTo'> & { readonly limit: number | null };

/** Events that are read from the log at once. */
const AT_ONCE = 100;

/** The events that a question asks for. All changes that were acknowledged before the question are among them. */
export class AuditSearch {
  private constructor(
    private readonly question: AuditQuestion,
    private readonly conditions: readonly AuditCondition[],
    private readonly head: Position,
    private readonly documents: AuditDocuments,
    private readonly log: AuditLog,
  ) {}

  /** @throws DomainError TOPIC_WITHOUT_CHANNEL; UnavailableError, EventStoreUnavailable */
  static async for(question: AuditQuestion, documents: AuditDocuments, log: AuditLog): Promise<AuditSearch> {
    const head = await log.head();
    await documents.reach(head);
    return new AuditSearch(question, await conditionsOf(question, documents, log), head, documents, log);
  }

  /** The events of a page that have room in so many bytes. */
  async page(asked: AuditPage, bytes: number, client: ClientConnection): Promise<AuditAnswer> {
    const { found, next } = await this.matching(asked);
    const budget = new ByteBudget(bytes);
    const events: AuditEntry[] = [];
    for (let at = 0; at < found.length; at += AT_ONCE) {
      if (at > 0) await setImmediate();
      assertConnected(client);
      for (const entry of await this.entriesOf(found.slice(at, at + AT_ONCE))) {
        if (budget.admits(sizeOfBytes(bytesInJson(entry)))) events.push(entry);
        else return { events, cursor: events.at(-1)?.position ?? null, found_end: false };
      }
    }
    return { events, cursor: next, found_end: next === null };
  }

  /** All events up to the head of the log at the question, some at a time. */
  async *all(asked: AuditRange, client: ClientConnection): AsyncGenerator<readonly AuditEntry[]> {
    let { after } = asked;
    for (let left = asked.limit ?? Infinity; left > 0; ) {
      assertConnected(client);
      const { found, next } = await this.matching({ ...asked, after, limit: Math.min(AT_ONCE, left), upTo: this.head });
      if (found.length > 0) yield await this.entriesOf(found);
      if (next === null) return;
      left -= found.length;
      after = next;
    }
  }

  private matching(page: AuditPage): Promise<MatchingEvents> {
    return matchingEvents(this.conditions, this.question, page, this.documents);
  }

  private async entriesOf(found: MatchingEvents['found']): Promise<readonly AuditEntry[]> {
    return auditEntries(await this.log.eventsOf(found), this.documents);
  }
}
