import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { Facts } from '../../../../directory/facts.js';
import { mayRead } from '../../../../directory/readable-messages.js';
import { ANSWER_BYTES, ByteBudget } from '../../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../../platform/kernel/client-connection.js';
import { refuse } from '../../../../platform/kernel/deciding.js';
import { Query } from '../../../../platform/kernel/query.js';
import { messageFlags } from '../../../message-flags/queries/message-flags.js';
import { OwnFlags } from '../../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../../message-flags/services/read-states.js';
import type { NarrowTerm } from '../../../narrow/domain/narrow.js';
import { isInNarrow } from '../../../narrow/domain/narrow-match.js';
import { searchOf } from '../../../narrow/domain/narrow-resolve.js';
import { AlertWords } from '../../../personal/services/alert-words.js';
import { moveHistoriesOf } from '../records/move-histories.js';
import { withShownPast } from '../records/past-contents.js';
import { recordSize } from '../records/record-size.js';
import type { FoundMessage } from './get-messages.handler.js';
import { flagsOf } from './message-view.js';
import { messagesFor } from './messages-for.js';
import { readByIds } from './read-in-batches.js';
import { readableNarrow } from './readable-narrow.js';
import { topicPoliciesFor } from './topic-policies.js';

/** The messages among `messageIds` that the reader may read and that are in the narrow, by id. */
export class GetMessagesById extends Query<
  {
    reader: UserRecord;
    messageIds: readonly number[];
    connection: ClientConnection;
    narrow: readonly NarrowTerm[];
  },
  readonly FoundMessage[]
> {}

@QueryHandler(GetMessagesById)
export class GetMessagesByIdHandler implements IQueryHandler<GetMessagesById> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {}

  /**
   * Refuses messages that together are too large: an answer cannot say that some are left out.
   * @throws DomainError BAD_NARROW, MESSAGES_TOO_LARGE
   */
  async execute({ reader, messageIds, connection, narrow: terms }: GetMessagesById): Promise<readonly FoundMessage[]> {
    const { directory } = this.facts;
    const collection = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, this.facts);
    const through = this.facts.readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const search = searchOf(narrow);
    const ids = [...new Set(messageIds)].sort((a, b) => a - b);
    const budget = new ByteBudget(this.answerBytes);
    const readable: MessageDocument[] = [];
    const theirs = messagesFor(connection, collection);
    for await (const batch of readByIds(theirs, ids, 1)) {
      const included = batch.filter(
        (message) => isInNarrow(narrow, message, flagsOf(message, own, topics)) && mayRead(reader, message, directory),
      );
      for (const message of await withShownPast(theirs, included)) {
        if (!budget.admits(recordSize(message, search !== null))) refuse('MESSAGES_TOO_LARGE');
        readable.push(message);
      }
    }
    const histories = await moveHistoriesOf(readable, this.facts.readModels);
    return readable.map((message) => ({
      message,
      moveHistory: histories.get(message.journey ?? ''),
      flags: messageFlags(reader, message, own, directory),
      search,
    }));
  }
}
