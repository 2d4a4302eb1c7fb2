import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { ByteBudget, bytesInJson, sizeOfBytes } from '../../../platform/kernel/byte-budget.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { type Proof, withContentKey } from '../../../platform/transparency/proofs.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { AuditLog } from '../log/audit-log.js';
import { EventProofs } from '../log/event-proofs.js';
import { Activity, type AuditActivity } from '../queries/audit-activity.js';
import { AuditDocuments } from '../queries/audit-documents.js';
import { type AuditEntry, auditEntries } from '../queries/audit-entry.js';
import { type AuditConditions, type AuditQuestion, conditionsOf } from '../queries/audit-question.js';
import { type AuditPage, type MatchingEvents, matchingEvents } from '../queries/matching-events.js';
import { type AuditWords, WordsForAuditors } from './audit-words.js';

/** @throws DomainError AUDIT_NOT_ALLOWED */
export function requireAuditor(user: UserRecord, directory: Directory): void {
  if (!may(user, 'can_audit_group', directory)) refuse('AUDIT_NOT_ALLOWED');
}

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
  /** null: answers have no words. */
  readonly words: AuditWords | null;
}

interface Search extends Omit<AuditSources, 'tree'> {
  readonly question: AuditQuestion;
  readonly conditions: AuditConditions;
  /** The newest event at the question. */
  readonly head: Position;
  readonly proofs: EventProofs | null;
}

/** Events, and what an answer says of them. */
interface Part {
  readonly events: readonly Recorded[];
  readonly entries: readonly AuditEntry[];
}

type StoredEvents = Awaited<ReturnType<AuditLog['storedOf']>>;

/** Events of an answer that counts, and that are looked for at once. */
const COUNTED_AT_ONCE = 5000;
const MOST_COUNTED = 4;
/** Events that are read from the log at once. */
const AT_ONCE = 100;

/** The events that a question asks for. All changes that were acknowledged before the question are among them. */
export class AuditSearch {
  private constructor(private readonly search: Search) {}

  /** @throws DomainError TOPIC_WITHOUT_CHANNEL, NO_ADDRESS, NO_SUCH_ACCOUNT; UnavailableError, EventStoreUnavailable */
  static async for(question: AuditQuestion, { tree, ...sources }: AuditSources): Promise<AuditSearch> {
    const head = await sources.log.head();
    await sources.documents.reach(head);
    const conditions = await conditionsOf(question, sources.documents, sources.log);
    const proofs = tree && (await EventProofs.upTo(head, tree));
    return new AuditSearch({ question, conditions, head, proofs, ...sources });
  }

  /** The events of a page that have room in so many bytes. */
  async page(asked: AuditPage, bytes: number, connection: ClientConnection): Promise<AuditAnswer> {
    const { head, proofs } = this.search;
    // The checkpoint of the proofs covers events up to the head at the question.
    const { found, next } = await this.matching(proofs ? { ...asked, upTo: head } : asked);
    const budget = new ByteBudget(bytes);
    const events: AuditEntry[] = [];
    for (let at = 0; at < found.length; at += AT_ONCE) {
      if (at > 0) await nextSlice();
      assertConnected(connection);
      const part = await this.partOf(found.slice(at, at + AT_ONCE), connection);
      const tooLarge = part.entries.findIndex((entry) => !budget.admits(sizeOfBytes(bytesInJson(entry))));
      events.push(...(await this.answered(part, tooLarge === -1 ? AT_ONCE : tooLarge)));
      if (tooLarge !== -1) return { events, cursor: events.at(-1)?.position ?? null, found_end: false };
    }
    return { events, cursor: next, found_end: next === null };
  }

  /** All events up to the head of the log at the question, some at a time. */
  async *all(asked: AuditRange, connection: ClientConnection): AsyncGenerator<readonly AuditEntry[], void> {
    let { after } = asked;
    for (let left = asked.limit ?? Infinity; left > 0; ) {
      assertConnected(connection);
      const { found, next } = await this.matching({
        ...asked,
        after,
        limit: Math.min(AT_ONCE, left),
        upTo: this.search.head,
      });
      if (found.length > 0) yield await this.answered(await this.partOf(found, connection), found.length);
      if (next === null) return;
      left -= found.length;
      after = next;
    }
  }

  /** Events up to the log's head at the question, by time: those behind a cursor, as far as one answer counts. */
  async activity(width: number, after: Position | null, connection: ClientConnection): Promise<AuditActivity> {
    const activity = new Activity(width);
    let next = after;
    for (let page = 0; page < MOST_COUNTED; page += 1) {
      assertConnected(connection);
      const asked = { order: 'oldest', after: next, limit: COUNTED_AT_ONCE, upTo: this.search.head } as const;
      const matching = await this.matching(asked);
      activity.count(matching.found);
      next = matching.next;
      if (next === null) break;
    }
    return activity.answer(next);
  }

  private matching(page: AuditPage): Promise<MatchingEvents> {
    const { conditions, question, documents } = this.search;
    return matchingEvents(conditions, question, page, documents);
  }

  private async partOf(found: MatchingEvents['found'], connection: ClientConnection): Promise<Part> {
    const { documents, log, proofs, words } = this.search;
    const stored = await log.storedOf(found);
    const events = words ? await log.opened(stored, words.shows) : await log.openedWithoutWords(stored);
    const shown = proofs ? log.asWritten(stored, events) : events;
    const entries = await auditEntries(events, documents, words, shown);
    const proved = await this.proofsOf(stored, events, connection);
    return { events, entries: entries.map((entry, at) => ({ ...entry, ...(proved?.[at] && { proof: proved[at] }) })) };
  }

  /** With the key of the content that the answer shows. */
  private async proofsOf(
    stored: StoredEvents,
    events: readonly Recorded[],
    connection: ClientConnection,
  ): Promise<readonly Proof[] | undefined> {
    const { log, proofs, words } = this.search;
    const proved = await proofs?.of(stored, connection);
    if (!proved || !words) return proved;
    const keys = await log.keysOf(stored);
    return proved.map((proof, at) => {
      const [event, key] = [events[at], keys[at]];
      return event && key && words.shows(event) ? withContentKey(proof, key) : proof;
    });
  }

  /** The first entries of a part, once the log says who reads their words. */
  private async answered({ events, entries }: Part, count: number): Promise<readonly AuditEntry[]> {
    await this.search.words?.reading(events.slice(0, count));
    return entries.slice(0, count);
  }
}

export interface AskedSearch {
  readonly reader: UserRecord;
  readonly question: AuditQuestion;
  /** Whether each event has a proof. */
  readonly proofs: boolean;
  /** The request, if the answer has words: the log says that it reads them. null: it has none. */
  readonly wordsBy: CommandContext | null;
}

/** Begins searches for auditors, and opens what their answers are made of, for nobody else. */
@Injectable()
export class AuditSearches {
  private readonly documents: AuditDocuments;

  constructor(
    private readonly directory: Directory,
    private readonly log: AuditLog,
    @Inject(READ_MODELS) readModels: ReadModels,
    private readonly tree: PublishedTree,
    private readonly words: WordsForAuditors,
  ) {
    this.documents = new AuditDocuments(readModels);
  }

  /**
   * @throws DomainError AUDIT_NOT_ALLOWED, TOPIC_WITHOUT_CHANNEL, NO_ADDRESS, NO_SUCH_ACCOUNT, WORDS_LEAVE_NO_TRACE;
   * UnavailableError, EventStoreUnavailable
   */
  async begin({ reader, question, proofs, wordsBy }: AskedSearch): Promise<AuditSearch> {
    const sources = await this.sourcesFor({ reader, wordsBy });
    return AuditSearch.for(question, { ...sources, tree: proofs ? this.tree : null });
  }

  /**
   * What answers to an auditor are made of.
   * @throws DomainError AUDIT_NOT_ALLOWED, WORDS_LEAVE_NO_TRACE; UnavailableError, EventStoreUnavailable
   */
  async sourcesFor({ reader, wordsBy }: Pick<AskedSearch, 'reader' | 'wordsBy'>): Promise<Omit<AuditSources, 'tree'>> {
    requireAuditor(reader, this.directory);
    const words = wordsBy && (await this.words.for(reader, wordsBy));
    return { documents: this.documents, log: this.log, words };
  }
}
