import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { AuditLog } from '../log/audit-log.js';
import { AuditDocuments } from './audit-documents.js';
import { WordsForAuditors } from './audit-words.js';
import { type MessageQuestion, type MessageThen, messageThen } from './message-then.js';
import { requireAuditor } from './require-auditor.js';

/** What a message was at a time, and who could read it. */
export class GetMessageThen extends Query<
  {
    readonly reader: UserRecord;
    readonly question: MessageQuestion;
    readonly client: ClientConnection;
    /** The request, if the answer has words: the log says that it reads them. null: it has none. */
    readonly wordsBy: CommandContext | null;
  },
  MessageThen
> {}

@QueryHandler(GetMessageThen)
export class GetMessageThenHandler implements IQueryHandler<GetMessageThen> {
  private readonly documents: AuditDocuments;

  constructor(
    private readonly directory: Directory,
    private readonly log: AuditLog,
    @Inject(READ_MODELS) readModels: ReadModels,
    private readonly words: WordsForAuditors,
  ) {
    this.documents = new AuditDocuments(readModels);
  }

  /**
   * @throws DomainError AUDIT_NOT_ALLOWED, NO_MESSAGE_THEN, WORDS_LEAVE_NO_TRACE, WORDS_NOT_RECORDED; UnavailableError,
   * EventStoreUnavailable
   */
  async execute({ reader, question, client, wordsBy }: GetMessageThen): Promise<MessageThen> {
    requireAuditor(reader, this.directory);
    const words = wordsBy && (await this.words.for(reader, wordsBy));
    return messageThen(question, { documents: this.documents, log: this.log, words }, client);
  }
}
