import { setImmediate } from 'node:timers/promises';
import { ByteBudget, bytesInJson, sizeOfBytes } from '../../../platform/kernel/byte-budget.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { PublishedTree } from '../../../platform/transparency/published-tree.js';
import type { AuditLog } from '../log/audit-log.js';
import { EventProofs } from '../log/event-proofs.js';
import type { AuditDocuments } from './audit-documents.js';
import { type AuditEntry, auditEntries } from './audit-entry.js';
import { type AuditConditions, type AuditQuestion, conditionsOf } from './audit-question.js';
import { type AuditPage, type MatchingEvents, matchingEvents } from './matching-events.js';

export interface AuditAnswer {
  readonly events: readonly AuditEntry[];
  /** The parameter `after` of the next page; null: there are no more events. */
  readonly cursor: Position | null;
  readonly found_end: boolean;
}

/** A page without an end of its own. null: without a limit. */
export type AuditRange = Omit<AuditPage, 'limit' | 'upTo'> & { readonly limit: number | null };

/** What answers are made of. */
export interface AuditSources {
  readonly documents: AuditDocuments;
  readonly log: AuditLog;
  /** The tree that proves the events; null: answers have no proofs. */
  readonly tree: PublishedTree | null;
}

interface Search extends Omit<AuditSources, 'tree'> {
  readonly question: AuditQuestion;
  readonly conditions: AuditConditions;
  /** The newest event at the question. */
  readonly head: Position;
  readonly proofs: EventProofs | null;
}

/** Events that are read from the log at once. */
const AT_ONCE = 100;

/** The events that a question asks for. All changes that were acknowledged before the question are among them. */
export class AuditSearch {
  private constructor(private readonly search: Search) {}

  /** @throws DomainError TOPIC_WITHOUT_CHANNEL, NO_ADDRESS; UnavailableError, EventStoreUnavailable */
  static async for(question: AuditQuestion, { documents, log, tree }: AuditSources): Promise<AuditSearch> {
    const head = await log.head();
    await documents.reach(head);
    const conditions = await conditionsOf(question, documents, log);
    const proofs = tree && (await EventProofs.upTo(head, tree));
    return new AuditSearch({ question, conditions, head, documents, log, proofs });
  }

  /** The events of a page that have room in so many bytes. */
  async page(asked: AuditPage, bytes: number, client: ClientConnection): Promise<AuditAnswer> {
    const { head, proofs } = this.search;
    // The checkpoint of the proofs covers events up to the head at the question.
    const { found, next } = await this.matching(proofs ? { ...asked, upTo: head } : asked);
    const budget = new ByteBudget(bytes);
    const events: AuditEntry[] = [];
    for (let at = 0; at < found.length; at += AT_ONCE) {
      if (at > 0) await setImmediate();
      assertConnected(client);
      for (const entry of await this.entriesOf(found.slice(at, at + AT_ONCE), client)) {
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
      const { found, next } = await this.matching({
        ...asked,
        after,
        limit: Math.min(AT_ONCE, left),
        upTo: this.search.head,
      });
      if (found.length > 0) yield await this.entriesOf(found, client);
      if (next === null) return;
      left -= found.length;
      after = next;
    }
  }

  private matching(page: AuditPage): Promise<MatchingEvents> {
    const { conditions, question, documents } = this.search;
    return matchingEvents(conditions, question, page, documents);
  }

  private async entriesOf(found: MatchingEvents['found'], client: ClientConnection): Promise<readonly AuditEntry[]> {
    const { documents, log, proofs } = this.search;
    const stored = await log.storedOf(found);
    const entries = await auditEntries(await log.opened(stored), documents);
    const proved = await proofs?.of(stored, client);
    return entries.map((entry, at) => ({ ...entry, ...(proved?.[at] && { proof: proved[at] }) }));
  }
}
