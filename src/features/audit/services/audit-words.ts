import { Inject, Injectable } from '@nestjs/common';
import {
  MESSAGES,
  type MessageDocument,
  messages,
  recipientOf,
} from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { channelReach, isReached } from '../../../directory/readable-messages.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { READ_MODELS, type ReadModels, reach } from '../../../platform/read-models/read-models.js';
import { hasWords, type MessageWords, messageWords } from '../domain/who-has-words.js';
import { type WordsOfOthers, wordsRead } from '../domain/words-read.js';
import { AuditLog } from '../log/audit-log.js';
import { WordReads } from '../log/word-reads.js';

/** The words in the answers to an auditor. */
export interface AuditWords {
  /** Whether the answer has the words of the event. */
  shows(event: Recorded): boolean;
  /**
   * Records that the words are read. They may be answered when it resolves.
   * @throws DomainError WORDS_NOT_RECORDED
   */
  reading(events: readonly Recorded[]): Promise<void>;
}

/** Finds out whose words an auditor reads, and records it. */
@Injectable()
export class WordsForAuditors {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly log: AuditLog,
    private readonly reads: WordReads,
  ) {}

  /** @throws DomainError WORDS_LEAVE_NO_TRACE; UnavailableError if the messages are not up to date */
  async for(auditor: UserRecord, by: CommandContext): Promise<AuditWords> {
    this.reads.require();
    const head = await this.log.head();
    await reach(head, messages, this.readModels, 'the messages are not yet those of the newest events of the log', 2);
    return {
      shows: (event) => hasWords(auditor._id, event),
      reading: async (events) => {
        for (const data of wordsRead(await this.ofOthers(auditor, events))) await this.reads.record(data, by);
      },
    };
  }

  private async ofOthers(auditor: UserRecord, events: readonly Recorded[]): Promise<readonly WordsOfOthers[]> {
    const all = events.map(messageWords).filter((words) => words !== null);
    if (all.length === 0) return [];
    const ids = [...new Set(all.map(({ messageId }) => messageId))];
    const documents = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    const found = new Map((await documents.find({ _id: { $in: ids } })).map((message) => [message._id, message]));
    return all.flatMap(({ messageId, place }: MessageWords) => {
      const today = found.get(messageId);
      if (today && this.isPart(auditor, today)) return [];
      return [{ messageId, places: today ? [place, recipientOf(today)] : [place] }];
    });
  }

  /** Whether the message is in one of the auditor's conversations today, and the auditor may read it there. */
  private isPart(auditor: UserRecord, message: MessageDocument): boolean {
    if (message.type === 'direct') return message.participants.includes(auditor._id);
    const { channelId } = message;
    return (
      this.directory.isSubscribed(auditor._id, channelId) &&
      isReached(channelReach(auditor, channelId, this.directory), message)
    );
  }
}
