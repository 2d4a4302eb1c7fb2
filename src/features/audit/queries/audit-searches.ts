import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { AuditLog } from '../log/audit-log.js';
import { AuditDocuments } from './audit-documents.js';
import type { AuditQuestion } from './audit-question.js';
import { AuditSearch, type AuditSources } from './audit-search.js';
import { WordsForAuditors } from './audit-words.js';
import { requireAuditor } from './require-auditor.js';

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
