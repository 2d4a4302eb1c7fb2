import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { FlaggedMessage } from '../../message-flags/queries/flagged-message.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../message-flags/queries/read-states.js';
import { alertedView } from '../../messages/queries/reading/alerted-view.js';
import { firstUnread } from '../../messages/queries/reading/first-unread.js';
import { type PageRequest, readPage } from '../../messages/queries/reading/message-page.js';
import { readableView } from '../../messages/queries/reading/message-view.js';
import { messagesFor } from '../../messages/queries/reading/messages-for.js';
import { readMovedIn } from '../../messages/queries/reading/moved-in.js';
import { UNBOUNDED } from '../../messages/queries/reading/page-budget.js';
import { readableNarrow } from '../../messages/queries/reading/readable-narrow.js';
import { MessageRows } from '../../messages/queries/reading/rows/message-rows.js';
import { NarrowedRows } from '../../messages/queries/reading/rows/narrowed-rows.js';
import { firstUnreadRow, readRowPage } from '../../messages/queries/reading/rows/row-page.js';
import { searchView } from '../../messages/queries/reading/search-view.js';
import { type TopicPolicies, topicPoliciesFor } from '../../messages/queries/reading/topic-policies.js';
import { withoutContent } from '../../messages/queries/records/message-content.js';
import type { NarrowTerm } from '../../narrow/domain/narrow.js';
import { type Narrow, unreadIn } from '../../narrow/domain/narrow-resolve.js';
import { AlertWords } from '../../personal/queries/alert-words.js';
import { ownFlagNamed } from '../domain/change-flags.js';
import { ChangeFlagsInNarrow, type NarrowFlagChanges } from '../domain/change-flags-in-narrow.js';
import { FlagReports } from './flag-reports.js';

export type FlagRange = Omit<PageRequest, 'anchor'> & { readonly anchor: number | 'first_unread' };

/** The messages of the range, by id. */
interface FlaggedRange {
  readonly messages: readonly FlaggedMessage[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

type Command = ChangeFlagsInNarrow<readonly NarrowTerm[], FlagRange>;

interface Wanted {
  readonly narrow: Narrow;
  readonly range: FlagRange;
  readonly own: OwnFlags;
  readonly topics: TopicPolicies;
  readonly client: ClientConnection;
}

@CommandHandler(ChangeFlagsInNarrow)
export class ChangeFlagsInNarrowHandler implements ICommandHandler<Command> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
  ) {}

  /** @throws DomainError BAD_NARROW, INVALID_FLAG, FLAG_NOT_EDITABLE; Overloaded if the client hangs up before the range is read */
  async execute({
    userId,
    narrow: terms,
    range,
    operation,
    flag: named,
    by,
    client,
  }: Command): Promise<NarrowFlagChanges> {
    const { directory } = this.facts;
    const flag = ownFlagNamed(named);
    const reader = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const narrow = await readableNarrow(terms, reader, directory, this.messages(client));
    const through = this.facts.readModels.position(messages);
    const state = await this.readStates.of(userId, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(userId, through));
    const topics = await topicPoliciesFor(narrow, reader, this.facts);
    const wanted = { narrow, range, own, topics, client };
    const page = (await this.rowsIn(wanted)) ?? (await this.pageOf(wanted));
    const changes = await this.reports.change(reader, page.messages, own, { flag, operation }, by);
    return { page, changed: changes.changed, ignoredChannelIds: changes.ignoredChannelIds };
  }

  /** The range by its rows; null if rows cannot decide the narrow. */
  private async rowsIn({ narrow, range, own, topics, client }: Wanted): Promise<FlaggedRange | null> {
    const narrowed = new NarrowedRows(narrow, own, this.rows, client, topics);
    if (!narrowed.isDecided) return null;
    const unread = new NarrowedRows(unreadIn(narrow), own, this.rows, client, topics);
    const anchor = range.anchor === 'first_unread' ? await firstUnreadRow(unread) : range.anchor;
    const { rows, ...found } = await readRowPage(narrowed, { ...range, anchor });
    return { ...found, messages: rows };
  }

  private async pageOf({ narrow, range, own, topics, client }: Wanted): Promise<FlaggedRange> {
    const { reader } = own;
    const collection = this.messages(client);
    const movedIn = await readMovedIn(this.facts.readModels);
    const viewOf = async (wanted: Narrow) => {
      const view = readableView(wanted, reader, own, this.facts.directory, movedIn, topics);
      return searchView(collection, await alertedView(collection, wanted, view, own));
    };
    const anchor =
      range.anchor === 'first_unread' ? await firstUnread(collection, await viewOf(unreadIn(narrow))) : range.anchor;
    return readPage(collection, await viewOf(narrow), { ...range, anchor }, { ...UNBOUNDED, retained: withoutContent });
  }

  private messages(client: ClientConnection) {
    return messagesFor(client, this.facts.readModels.collection<MessageDocument>(messages, MESSAGES));
  }
}
