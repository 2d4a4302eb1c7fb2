import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { JourneyDocument } from '../../../projections/message-journeys.js';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { AlertWords } from '../../personal/queries/alert-words.js';
import { OwnFlags } from '../../read-state/queries/own-flags.js';
import { ReadStates } from '../../read-state/queries/read-states.js';
import type { NarrowTerm } from '../domain/narrow.js';
import { type Narrow, searchOf, unreadIn } from '../domain/narrow-resolve.js';
import { alertedView } from './alerted-view.js';
import { arrivalsIn } from './arrivals.js';
import { firstUnread } from './first-unread.js';
import { journeysOf } from './journeys.js';
import { messageFlags } from './message-flags.js';
import { type MessagePage, type PageRequest, readPage } from './message-page.js';
import { readableView } from './message-view.js';
import { readableNarrow } from './readable-narrow.js';
import { MessageRows } from './rows/message-rows.js';
import { NarrowedRows } from './rows/narrowed-rows.js';
import { firstUnreadRow, readPageByRows } from './rows/row-page.js';
import { searchView } from './search-view.js';
import { topicPoliciesFor } from './topic-policies.js';

export class GetMessages {
  constructor(
    readonly reader: UserRecord,
    readonly narrow: readonly NarrowTerm[],
    readonly page: Omit<PageRequest, 'anchor'> & { readonly anchor: number | 'first_unread' },
  ) {}
}

export interface FlaggedMessage {
  readonly message: MessageDocument;
  /** What has taken it where it is; undefined where it was sent there. */
  readonly journey: JourneyDocument | undefined;
  /** The reader's own. */
  readonly flags: readonly string[];
  /** What it was found by; null where no words were searched. */
  readonly search: string | null;
}

export interface FlaggedPage extends Omit<MessagePage, 'messages'> {
  /** The one asked for, or the one worked out. */
  readonly anchor: number;
  readonly messages: readonly FlaggedMessage[];
}

@QueryHandler(GetMessages)
export class GetMessagesHandler implements IQueryHandler<GetMessages, FlaggedPage> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    private readonly rows: MessageRows,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError BAD_NARROW */
  async execute({ reader, narrow: terms, page }: GetMessages): Promise<FlaggedPage> {
    const { directory } = this;
    const collection = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, directory, this.readModels);
    const through = this.readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const arrivals = await arrivalsIn(this.readModels);
    const viewOf = async (wanted: Narrow) => {
      const view = readableView(wanted, reader, own, directory, arrivals, topics);
      return searchView(collection, await alertedView(collection, wanted, view, own));
    };
    const rowsOf = (wanted: Narrow) => new NarrowedRows(wanted, reader, own, directory, this.rows);
    const first = async (unread: Narrow): Promise<number> =>
      rowsOf(unread).isDecided ? firstUnreadRow(rowsOf(unread)) : firstUnread(collection, await viewOf(unread));
    const anchor = page.anchor === 'first_unread' ? await first(unreadIn(narrow)) : page.anchor;
    const view = await viewOf(narrow);
    const rows = rowsOf(narrow);
    const found =
      rows.asksUnread && rows.isDecided
        ? await readPageByRows(collection, rows, view, { ...page, anchor })
        : await readPage(collection, view, { ...page, anchor });
    const journeys = await journeysOf(found.messages, this.readModels);
    const flagged = found.messages.map((message) => ({
      message,
      journey: journeys.get(message.journey ?? ''),
      flags: messageFlags(reader, message, own, directory),
      search: searchOf(narrow),
    }));
    return { ...found, anchor, messages: flagged };
  }
}
