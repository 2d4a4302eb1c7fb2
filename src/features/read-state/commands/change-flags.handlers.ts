import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { channelFor } from '../../../directory/permissions.js';
import { mayRead } from '../../../directory/readable-messages.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { FlaggedMessage } from '../../message-flags/queries/flagged-message.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../message-flags/services/read-states.js';
import { knownMessage } from '../../messages/queries/message-to-change.js';
import { alertedView } from '../../messages/queries/reading/alerted-view.js';
import { firstUnread } from '../../messages/queries/reading/first-unread.js';
import { type PageRequest, readPage } from '../../messages/queries/reading/message-page.js';
import { readableView } from '../../messages/queries/reading/message-view.js';
import { messagesFor } from '../../messages/queries/reading/messages-for.js';
import { readMovedIn } from '../../messages/queries/reading/moved-in.js';
import { UNBOUNDED } from '../../messages/queries/reading/page-budget.js';
import { readableNarrow } from '../../messages/queries/reading/readable-narrow.js';
import { searchView } from '../../messages/queries/reading/search-view.js';
import { type TopicPolicies, topicPoliciesFor } from '../../messages/queries/reading/topic-policies.js';
import { withoutContent } from '../../messages/queries/records/message-content.js';
import { MessageRows } from '../../messages/services/message-rows.js';
import { NarrowedRows } from '../../messages/services/narrowed-rows.js';
import { firstUnreadRow, readRowPage } from '../../messages/services/row-page.js';
import type { NarrowTerm } from '../../narrow/domain/narrow.js';
import { EVERYTHING, inChannel, type Narrow, unreadIn } from '../../narrow/domain/narrow-resolve.js';
import { AlertWords } from '../../personal/services/alert-words.js';
import {
  ChangeFlags,
  ChangeFlagsInNarrow,
  decideMarkAllRead,
  type FlagChanges,
  MarkAllRead,
  MarkChannelRead,
  type NarrowFlagChanges,
  ownFlagNamed,
} from '../domain/change-flags.js';
import { FlagReports } from '../services/flag-reports.js';

/** Ids looked up at once. */
const PAGE = 500;

@CommandHandler(ChangeFlags)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlags> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly reports: FlagReports,
  ) {}

  async execute({ userId, messageIds, operation, flag: named, by }: ChangeFlags): Promise<FlagChanges> {
    const { directory } = this.facts;
    const flag = ownFlagNamed(named);
    const reader = directory.existingUser(userId);
    const ids = [...new Set(messageIds)];
    const found = await this.found(ids);
    const known = new Set(found.map(({ _id }) => _id));
    for (const id of ids)
      if (!known.has(id)) found.push((await knownMessage(id, this.facts)) ?? refuse('INVALID_MESSAGE'));
    if (!found.every((message) => mayRead(reader, message, directory))) refuse('INVALID_MESSAGE');
    const state = await this.readStates.of(userId, this.facts.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const changes = await this.reports.change(reader, found, own, { flag, operation }, by, true);
    if (changes.overtaken.length > 0) refuse('INVALID_MESSAGE');
    return changes;
  }

  private async found(ids: readonly number[]): Promise<MessageDocument[]> {
    const collection = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    const found: MessageDocument[] = [];
    for (let at = 0; at < ids.length; at += PAGE)
      found.push(...(await collection.find({ _id: { $in: ids.slice(at, at + PAGE) } })));
    return found;
  }
}

@CommandHandler(MarkAllRead)
export class MarkAllReadHandler implements ICommandHandler<MarkAllRead> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
  ) {}

  async execute(command: MarkAllRead): Promise<void> {
    const { directory } = this.facts;
    const reader = directory.existingUser(command.userId);
    const state = await this.readStates.of(reader._id, this.facts.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const unread = new NarrowedRows(unreadIn(EVERYTHING), own, this.rows);
    const [newest] = await unread.take(1, -1);
    const events = decideMarkAllRead(command, { hasUnread: newest !== undefined });
    await this.reports.report(reader._id, events, command.by);
  }
}

@CommandHandler(MarkChannelRead)
export class MarkChannelReadHandler implements ICommandHandler<MarkChannelRead> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
  ) {}

  /** @throws DomainError INVALID_CHANNEL_ID, TOPIC_NOT_FOUND */
  async execute({ userId, channelId, topic, by }: MarkChannelRead): Promise<void> {
    const { directory } = this.facts;
    const reader = directory.existingUser(userId);
    channelFor(reader, channelId, 'see', directory);
    const state = await this.readStates.of(userId, this.facts.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const place = inChannel(channelId, topic);
    const rowsOf = (narrow: Narrow) => new NarrowedRows(narrow, own, this.rows);
    if (topic !== null && (await rowsOf(place).take(1, -1)).length === 0) refuse('TOPIC_NOT_FOUND', { topic });
    const unread = await rowsOf(unreadIn(place)).take(Number.MAX_SAFE_INTEGER, 1);
    await this.reports.change(reader, unread, own, { flag: 'read', operation: 'add' }, by);
  }
}

type FlagRange = Omit<PageRequest, 'anchor'> & { readonly anchor: number | 'first_unread' };

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
  readonly connection: ClientConnection;
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

  /** @throws DomainError BAD_NARROW, INVALID_FLAG, FLAG_NOT_EDITABLE; Overloaded if the client hangs up before all is read */
  async execute({
    userId,
    narrow: terms,
    range,
    operation,
    flag: named,
    by,
    connection,
  }: Command): Promise<NarrowFlagChanges> {
    const { directory } = this.facts;
    const flag = ownFlagNamed(named);
    const reader = directory.existingUser(userId);
    const narrow = await readableNarrow(terms, reader, directory, this.messages(connection));
    const through = this.facts.readModels.position(messages);
    const state = await this.readStates.of(userId, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(userId, through));
    const topics = await topicPoliciesFor(narrow, reader, this.facts);
    const wanted = { narrow, range, own, topics, connection };
    const page = (await this.rowsIn(wanted)) ?? (await this.pageOf(wanted));
    const changes = await this.reports.change(reader, page.messages, own, { flag, operation }, by);
    return { page, changed: changes.changed, ignoredChannelIds: changes.ignoredChannelIds };
  }

  /** The range by its rows; null if rows cannot decide the narrow. */
  private async rowsIn({ narrow, range, own, topics, connection }: Wanted): Promise<FlaggedRange | null> {
    const narrowed = new NarrowedRows(narrow, own, this.rows, connection, topics);
    if (!narrowed.isDecided) return null;
    const unread = new NarrowedRows(unreadIn(narrow), own, this.rows, connection, topics);
    const anchor = range.anchor === 'first_unread' ? await firstUnreadRow(unread) : range.anchor;
    const { rows, ...found } = await readRowPage(narrowed, { ...range, anchor });
    return { ...found, messages: rows };
  }

  private async pageOf({ narrow, range, own, topics, connection }: Wanted): Promise<FlaggedRange> {
    const { reader } = own;
    const collection = this.messages(connection);
    const movedIn = await readMovedIn(this.facts.readModels);
    const viewOf = async (wanted: Narrow) => {
      const view = readableView(wanted, reader, own, this.facts.directory, movedIn, topics);
      return searchView(collection, await alertedView(collection, wanted, view, own));
    };
    const anchor =
      range.anchor === 'first_unread' ? await firstUnread(collection, await viewOf(unreadIn(narrow))) : range.anchor;
    return readPage(collection, await viewOf(narrow), { ...range, anchor }, { ...UNBOUNDED, retained: withoutContent });
  }

  private messages(connection: ClientConnection) {
    return messagesFor(connection, this.facts.readModels.collection<MessageDocument>(messages, MESSAGES));
  }
}
