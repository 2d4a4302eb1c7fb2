import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages/messages.projection.js';
import { readState } from '../../../projections/read-state/read-state.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import { isInHistory } from '../../directory/readable-messages.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../events/messages/topic-name.js';
import type { Position } from '../../platform/kernel/position.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { mentionFlags } from '../message-flags/queries/content-flags.js';
import { OwnFlags } from '../message-flags/queries/own-flags.js';
import { ReadStates } from '../message-flags/services/read-states.js';
import { mentionScans } from '../messages/queries/reading/mention-scans.js';
import type { Messages } from '../messages/queries/reading/messages-for.js';
import { TopicPolicies } from '../messages/queries/reading/topic-policies.js';
import { type Subscriptions, subscriptionsOf } from '../messages/register/received-messages.js';
import { MessageRows } from '../messages/services/message-rows.js';
import { readPersonal } from '../personal/queries/personal.queries.js';
import { type UnreadMessages, unreadMessages } from './register/unread-messages.js';

/**
 * Ids of existing starred messages, ascending, without those that the reader has lost since. A star that was lost stays
 * lost if the reader can read the message again.
 */
async function starredMessages(rows: MessageRows, own: OwnFlags): Promise<readonly number[]> {
  const found = await rows.byIds(own.state.ids('starred'));
  return found.filter((row) => own.has('starred', row)).map(({ _id }) => _id);
}

const PAGE = 500;

/**
 * Ids of unread messages that mention their reader, ascending; mentions by a wildcard only if the topic is not muted.
 * Reads the messages that may mention the reader, from the newest to the oldest unread one.
 *
 * @param mutes called only if it makes a difference
 */
async function unreadMentions(
  messages: Messages,
  unread: ReadonlySet<number>,
  reader: UserRecord,
  directory: Directory,
  mutes: () => Promise<(message: MessageDocument) => boolean>,
): Promise<number[]> {
  const oldest = [...unread].reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER);
  const names = mentionScans(reader, directory).map(({ value }) => value);
  const named: number[] = [];
  const amongAll: MessageDocument[] = [];
  for (let before = unread.size === 0 ? null : Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page: MessageDocument[] = await messages.find(
      { callees: { $in: names }, sentPosition: { $lt: before } },
      { sort: { sentPosition: -1 }, limit: PAGE },
    );
    for (const message of page) {
      if (!unread.has(message._id) || !isInHistory(reader, message, directory)) continue;
      const flags = mentionFlags(reader, message, directory);
      if (flags.includes('mentioned')) named.push(message._id);
      else if (flags.length > 0) amongAll.push(message);
    }
    const last = page.at(-1);
    before = last && page.length === PAGE && last._id > oldest ? last.sentPosition : null;
  }
  if (amongAll.length > 0) {
    const isMuted = await mutes();
    for (const message of amongAll) if (!isMuted(message)) named.push(message._id);
  }
  return named.sort((a, b) => a - b);
}

@ReadsState()
export class FlagStateReader implements StateReader {
  readonly sources = [messages, readState];

  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
  ) {}

  parts(context: RegisterContext): StateParts {
    const { reader, isWanted } = context;
    const starred = async (): Promise<object> => {
      const own = new OwnFlags(reader, await this.readStates.of(reader._id), this.facts.directory);
      return { starred_messages: await starredMessages(this.rows, own) };
    };
    // Clients get unread messages if they want both messages and flags.
    if (!isWanted('message') || !isWanted('update_message_flags')) return { messages: { starred_messages: starred } };
    const subscriptions = subscriptionsOf(reader, this.facts.directory);
    const unread = async (through: Position): Promise<object> => ({
      unread_msgs: await this.unread(context, subscriptions, through),
    });
    return { messages: { starred_messages: starred, update_message_flags: unread } };
  }

  private async unread(
    { reader, request }: RegisterContext,
    subscriptions: Subscriptions,
    through: Position,
  ): Promise<UnreadMessages> {
    const emptyTopicName = request.clientCapabilities.empty_topic_name ? '' : EMPTY_TOPIC_DISPLAY_NAME;
    const state = await this.readStates.of(reader._id);
    const unread = await unreadMessages(this.rows, reader, state, subscriptions, through, emptyTopicName);
    const { streams, pms, huddles } = unread;
    const ids = new Set([...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids));
    const mutes = async (): Promise<(message: MessageDocument) => boolean> => {
      const { topics } = await readPersonal(this.facts.readModels, reader._id, this.facts.directory.position);
      const policies = new TopicPolicies(topics, reader, this.facts.directory);
      return (message) => policies.has('muted', message);
    };
    const found = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    return { ...unread, mentions: await unreadMentions(found, ids, reader, this.facts.directory, mutes) };
  }
}
