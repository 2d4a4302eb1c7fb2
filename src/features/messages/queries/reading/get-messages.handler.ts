import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../../projections/messages/messages.projection.js';
import type { MoveHistoryDocument } from '../../../../../projections/messages/move-history.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { Facts } from '../../../../directory/facts.js';
import type { Search } from '../../../../platform/documents/tokenize.js';
import { ANSWER_BYTES } from '../../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../../platform/kernel/client-connection.js';
import { Query } from '../../../../platform/kernel/query.js';
import { messageFlags } from '../../../message-flags/queries/message-flags.js';
import { OwnFlags } from '../../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../../message-flags/services/read-states.js';
import type { NarrowTerm } from '../../../narrow/domain/narrow.js';
import { type Narrow, searchOf, unreadIn } from '../../../narrow/domain/narrow-resolve.js';
import { AlertWords } from '../../../personal/services/alert-words.js';
import { MessageRows } from '../../services/message-rows.js';
import { NarrowedRows } from '../../services/narrowed-rows.js';
import { firstUnreadRow, readPageByRows } from '../../services/row-page.js';
import { moveHistoriesOf } from '../records/move-histories.js';
import { recordSize } from '../records/record-size.js';
import { alertedView } from './alerted-view.js';
import { firstUnread } from './first-unread.js';
import { type MessagePage, type PageRequest, readPage } from './message-page.js';
import { readableView } from './message-view.js';
import { messagesFor } from './messages-for.js';
import { readMovedIn } from './moved-in.js';
import { readableNarrow } from './readable-narrow.js';
import { searchView } from './search-view.js';
import { topicPoliciesFor } from './topic-policies.js';

export class GetMessages extends Query<
  {
    reader: UserRecord;
    narrow: readonly NarrowTerm[];
    page: Omit<PageRequest, 'anchor'> & { readonly anchor: number | 'first_unread' };
    connection: ClientConnection;
  },
  FlaggedPage
> {}

export interface FoundMessage {
  readonly message: MessageDocument;
  /** The moves of the message; undefined if it has not moved. */
  readonly moveHistory: MoveHistoryDocument | undefined;
  /** The reader's own. */
  readonly flags: readonly string[];
  /** null if the narrow does not search. */
  readonly search: Search | null;
}

interface FlaggedPage extends Omit<MessagePage, 'messages'> {
  /** The requested anchor, or the id of the first unread message. */
  readonly anchor: number;
  readonly messages: readonly FoundMessage[];
}

@QueryHandler(GetMessages)
export class GetMessagesHandler implements IQueryHandler<GetMessages> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    private readonly rows: MessageRows,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {}

  /** A page; it ends early, without the oldest or newest, where its answer would be too large. @throws DomainError BAD_NARROW */
  async execute({ reader, narrow: terms, page, connection }: GetMessages): Promise<FlaggedPage> {
    const { directory } = this.facts;
    const collection = messagesFor(connection, this.facts.readModels.collection<MessageDocument>(messages, MESSAGES));
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, this.facts);
    const through = this.facts.readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const movedIn = await readMovedIn(this.facts.readModels);
    const viewOf = async (wanted: Narrow) => {
      const view = readableView(wanted, reader, own, directory, movedIn, topics);
      return searchView(collection, await alertedView(collection, wanted, view, own));
    };
    const rowsOf = (wanted: Narrow) => new NarrowedRows(wanted, own, this.rows, connection, topics);
    const first = async (unread: Narrow): Promise<number> =>
      rowsOf(unread).isDecided ? firstUnreadRow(rowsOf(unread)) : firstUnread(collection, await viewOf(unread));
    const anchor = page.anchor === 'first_unread' ? await first(unreadIn(narrow)) : page.anchor;
    const view = await viewOf(narrow);
    const rows = rowsOf(narrow);
    const search = searchOf(narrow);
    const room = {
      bytes: this.answerBytes,
      sizeOf: (message: MessageDocument) => recordSize(message, search !== null),
    };
    const found =
      rows.asksUnread && rows.isDecided
        ? await readPageByRows(collection, rows, view, { ...page, anchor }, room)
        : await readPage(collection, view, { ...page, anchor }, room);
    const histories = await moveHistoriesOf(found.messages, this.facts.readModels);
    const flagged = found.messages.map((message) => ({
      message,
      moveHistory: histories.get(message.journey ?? ''),
      flags: messageFlags(reader, message, own, directory),
      search,
    }));
    return { ...found, anchor, messages: flagged };
  }
}
