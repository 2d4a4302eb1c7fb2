import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { refuse } from '../../kernel/domain-error.js';
import type { NarrowTerm } from '../../messages/domain/narrow.js';
import { type Narrow, unreadIn } from '../../messages/domain/narrow-resolve.js';
import { alertedView } from '../../messages/queries/alerted-view.js';
import { arrivalsIn } from '../../messages/queries/arrivals.js';
import { firstUnread } from '../../messages/queries/first-unread.js';
import { type PageRequest, readPage } from '../../messages/queries/message-page.js';
import { readableView } from '../../messages/queries/message-view.js';
import { readableNarrow } from '../../messages/queries/readable-narrow.js';
import { MessageRows } from '../../messages/queries/rows/message-rows.js';
import { NarrowedRows } from '../../messages/queries/rows/narrowed-rows.js';
import { firstUnreadRow, readRowPage } from '../../messages/queries/rows/row-page.js';
import { searchView } from '../../messages/queries/search-view.js';
import { topicPoliciesFor } from '../../messages/queries/topic-policies.js';
import { AlertWords } from '../../personal/queries/alert-words.js';
import { type FlagChanges, ownFlagNamed } from '../domain/change-flags.js';
import { ChangeFlagsInNarrow } from '../domain/change-flags-in-narrow.js';
import type { FlaggedMessage } from '../queries/flagged-message.js';
import { OwnFlags } from '../queries/own-flags.js';
import { ReadStates } from '../queries/read-states.js';
import { FlagReports } from './flag-reports.js';

export type FlagRange = Omit<PageRequest, 'anchor'> & { readonly anchor: number | 'first_unread' };

export interface NarrowFlagChanges extends Omit<FlagChanges, 'events'> {
  readonly page: FlaggedRange;
}

/** What is in the range, by id. */
interface FlaggedRange {
  readonly messages: readonly FlaggedMessage[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

type Command = ChangeFlagsInNarrow<readonly NarrowTerm[], FlagRange>;

@CommandHandler(ChangeFlagsInNarrow)
export class ChangeFlagsInNarrowHandler implements ICommandHandler<Command, NarrowFlagChanges> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError BAD_NARROW, INVALID_FLAG, FLAG_NOT_EDITABLE */
  async execute({ userId, narrow: terms, range, operation, flag: named, by }: Command): Promise<NarrowFlagChanges> {
    const { directory } = this;
    const flag = ownFlagNamed(named);
    const reader = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const narrow = await readableNarrow(terms, reader, directory, this.messages());
    const through = this.readModels.position(messages);
    const state = await this.readStates.of(userId, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(userId, through));
    const page = (await this.rowsIn(narrow, range, reader, own)) ?? (await this.pageOf(narrow, range, reader, own));
    const changes = await this.reports.change(reader, page.messages, own, { flag, operation }, by);
    return { page, changed: changes.changed, ignoredChannelIds: changes.ignoredChannelIds };
  }

  /** null: rows do not tell what is in the narrow. */
  private async rowsIn(
    narrow: Narrow,
    range: FlagRange,
    reader: UserRecord,
    own: OwnFlags,
  ): Promise<FlaggedRange | null> {
    const narrowed = new NarrowedRows(narrow, reader, own, this.directory, this.rows);
    if (!narrowed.isDecided) return null;
    const unread = new NarrowedRows(unreadIn(narrow), reader, own, this.directory, this.rows);
    const anchor = range.anchor === 'first_unread' ? await firstUnreadRow(unread) : range.anchor;
    const { rows, ...found } = await readRowPage(narrowed, { ...range, anchor });
    return { ...found, messages: rows };
  }

  private async pageOf(narrow: Narrow, range: FlagRange, reader: UserRecord, own: OwnFlags): Promise<FlaggedRange> {
    const collection = this.messages();
    const topics = await topicPoliciesFor(narrow, reader, this.directory, this.readModels);
    const arrivals = await arrivalsIn(this.readModels);
    const viewOf = async (wanted: Narrow) => {
      const view = readableView(wanted, reader, own, this.directory, arrivals, topics);
      return searchView(collection, await alertedView(collection, wanted, view, own));
    };
    const anchor =
      range.anchor === 'first_unread' ? await firstUnread(collection, await viewOf(unreadIn(narrow))) : range.anchor;
    return readPage(collection, await viewOf(narrow), { ...range, anchor });
  }

  private messages() {
    return this.readModels.collection<MessageDocument>(messages, MESSAGES);
  }
}
