import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { Facts } from '../../../../directory/facts.js';
import type { Search } from '../../../../platform/documents/tokenize.js';
import { ANSWER_BYTES, ByteBudget } from '../../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../../platform/kernel/client-connection.js';
import { refuse } from '../../../../platform/kernel/deciding.js';
import { Query } from '../../../../platform/kernel/query.js';
import { OwnFlags } from '../../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../../message-flags/services/read-states.js';
import type { NarrowTerm } from '../../../narrow/domain/narrow.js';
import { searchOf } from '../../../narrow/domain/narrow-resolve.js';
import { AlertWords } from '../../../personal/services/alert-words.js';
import { matchSize } from '../records/record-size.js';
import { readableView } from './message-view.js';
import { messagesFor } from './messages-for.js';
import { readMovedIn } from './moved-in.js';
import { readByIds } from './read-in-batches.js';
import { readableNarrow } from './readable-narrow.js';
import { topicPoliciesFor } from './topic-policies.js';

/** The messages among `messageIds` that a page of the narrow would show the reader. */
export class GetMatchingMessages extends Query<
  {
    reader: UserRecord;
    messageIds: readonly number[];
    narrow: readonly NarrowTerm[];
    connection: ClientConnection;
  },
  MatchingMessages
> {}

interface MatchingMessages {
  /** By id. */
  readonly messages: readonly MessageDocument[];
  /** null if the narrow does not search. */
  readonly search: Search | null;
}

@QueryHandler(GetMatchingMessages)
export class GetMatchingMessagesHandler implements IQueryHandler<GetMatchingMessages> {
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
  async execute({ reader, messageIds, narrow: terms, connection }: GetMatchingMessages): Promise<MatchingMessages> {
    const { directory, readModels } = this.facts;
    const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, this.facts);
    const through = readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const view = readableView(narrow, reader, own, directory, await readMovedIn(readModels), topics);
    const ids = [...new Set(messageIds)].sort((a, b) => a - b);
    const budget = new ByteBudget(this.answerBytes);
    const found: MessageDocument[] = [];
    for await (const batch of readByIds(messagesFor(connection, collection), ids, 1)) {
      for (const message of batch) {
        if (!view.includes(message)) continue;
        if (!budget.admits(matchSize(message))) refuse('MESSAGES_TOO_LARGE');
        found.push(message);
      }
    }
    return { messages: found, search: searchOf(narrow) };
  }
}
