import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { ANSWER_BYTES, ByteBudget } from '../../../platform/kernel/byte-budget.js';
import { Query } from '../../../platform/kernel/command.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { AlertWords } from '../../personal/queries/alert-words.js';
import type { NarrowTerm } from '../domain/narrow.js';
import { isInNarrow } from '../domain/narrow-match.js';
import { searchOf } from '../domain/narrow-resolve.js';
import { OwnFlags } from './flags/own-flags.js';
import { ReadStates } from './flags/read-states.js';
import type { FlaggedMessage } from './get-messages.handler.js';
import { messageFlags } from './message-flags.js';
import { flagsOf } from './message-view.js';
import { moveHistoriesOf } from './move-histories.js';
import { readableNarrow } from './readable-narrow.js';
import { recordSize } from './record-size.js';
import { topicPoliciesFor } from './topic-policies.js';

/** The messages among `messageIds` that the reader may read and that are in the narrow, by id. */
export class GetMessagesById extends Query<readonly FlaggedMessage[]> {
  constructor(
    readonly reader: UserRecord,
    readonly messageIds: readonly number[],
    readonly narrow: readonly NarrowTerm[] = [],
  ) {
    super();
  }
}

/** Documents read at once. */
const AT_ONCE = 250;

@QueryHandler(GetMessagesById)
export class GetMessagesByIdHandler implements IQueryHandler<GetMessagesById> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {}

  /**
   * Refuses messages that together are too large: an answer cannot say that some are left out.
   * @throws DomainError BAD_NARROW, MESSAGES_TOO_LARGE
   */
  async execute({ reader, messageIds, narrow: terms }: GetMessagesById): Promise<readonly FlaggedMessage[]> {
    const { directory } = this;
    const collection = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, directory, this.readModels);
    const through = this.readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const search = searchOf(narrow);
    const ids = [...new Set(messageIds)].sort((a, b) => a - b);
    const budget = new ByteBudget(this.answerBytes);
    const readable: MessageDocument[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const found = await collection.find({ _id: { $in: ids.slice(at, at + AT_ONCE) } }, { sort: { _id: 1 } });
      for (const message of found) {
        if (!isInNarrow(narrow, message, flagsOf(message, own, topics))) continue;
        if (!mayRead(reader, message, directory)) continue;
        if (!budget.admits(recordSize(message, search !== null))) refuse('MESSAGES_TOO_LARGE');
        readable.push(message);
      }
    }
    const histories = await moveHistoriesOf(readable, this.readModels);
    return readable.map((message) => ({
      message,
      moveHistory: histories.get(message.journey ?? ''),
      flags: messageFlags(reader, message, own, directory),
      search,
    }));
  }
}
