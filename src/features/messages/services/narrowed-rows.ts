import { channelReach, isReached, type Reach, wasReceived } from '../../../directory/readable-messages.js';
import { type ClientConnection, NO_CLIENT } from '../../../platform/kernel/client-connection.js';
import type { OwnFlags } from '../../message-flags/queries/own-flags.js';
import type { Narrow, NarrowCondition } from '../../narrow/domain/narrow-resolve.js';
import type { Direction } from '../queries/reading/index-scan-filters.js';
import { exceedsHistory } from '../queries/reading/message-view.js';
import type { TopicPolicies } from '../queries/reading/topic-policies.js';
import type { MessageRow } from './message-block.js';
import { ALL_IDS, type IdWindow, type MessageRows } from './message-rows.js';

type Condition<Kind extends NarrowCondition['kind']> = Extract<NarrowCondition, { readonly kind: Kind }>;

/** Conditions that rows decide; `topic` only within one channel. */
const DECIDED_BY_ROWS: readonly NarrowCondition['kind'][] = [
  'channel',
  'topic',
  'conversation',
  'direct',
  'sender',
  'unread',
];

/** The rows of a narrow that a reader may see. */
export class NarrowedRows {
  constructor(
    private readonly narrow: Narrow,
    private readonly own: OwnFlags,
    private readonly rows: MessageRows,
    private readonly connection: ClientConnection = NO_CLIENT,
    /** Needed to decide what is muted. */
    private readonly topics: TopicPolicies | null = null,
  ) {}

  /** Whether rows decide exactly which messages are in the narrow. */
  get isDecided(): boolean {
    const { required, excluded } = this.narrow;
    const known = required.every(({ kind }) => DECIDED_BY_ROWS.includes(kind));
    const isOneTopic = !this.required('topic') || this.required('channel') !== undefined;
    return known && isOneTopic && excluded.every(({ kind }) => kind === 'channel' || (kind === 'muted' && this.topics));
  }

  get asksUnread(): boolean {
    return this.asks('unread');
  }

  async *scan(direction: Direction, ids: IdWindow = ALL_IDS): AsyncGenerator<readonly MessageRow[], void> {
    const { rows, connection } = this;
    const { reader, directory } = this.own;
    // A message that is unread without a mark was received by the reader.
    const isOwn = !this.asks('unread') && !exceedsHistory(this.narrow, this.own);
    const channel = this.required('channel');
    const topic = this.required('topic');
    const conversation = this.required('conversation');
    const isOfChannels = channel !== undefined || topic !== undefined;
    const isDirect = conversation !== undefined || this.required('direct') !== undefined;
    if (isOfChannels && isDirect) return;
    const reaches = isDirect ? new Map<number, Reach>() : this.reaches();
    const { state } = this.own;
    const wanted = {
      channelIds: new Set(reaches.keys()),
      conversations: isOfChannels
        ? new Set<number>()
        : await rows.conversations(reader._id, conversation?.dmKey ?? null),
      topics: channel && topic ? await rows.topics(channel.channelId, topic.topicKey) : null,
      ids,
      connection,
      bits: this.asks('unread') ? (first: number, into: Uint32Array) => state.maybeUnread(first, into) : null,
      accepts: (row: MessageRow): boolean => {
        if (row.type === 'channel') {
          if (!isReached(reaches.get(row.channelId) ?? [], row)) return false;
          if (isOwn && !wasReceived(reader, row, directory)) return false;
        }
        return this.narrow.required.every((condition) => this.meets(row, condition));
      },
    };
    for await (const found of rows.scan(wanted, direction)) {
      const left = await this.withoutMuted(found);
      if (left.length > 0) yield left;
    }
  }

  /** The rows that are in no muted topic, if the narrow leaves these out. */
  private async withoutMuted(found: readonly MessageRow[]): Promise<readonly MessageRow[]> {
    const { topics } = this;
    if (!topics || !this.excludesMuted) return found;
    const places = await this.rows.named(new Set(found.map(({ place }) => place)));
    return found.filter((row) => {
      const topicKey = places.get(row.place)?.topicKey;
      return row.type === 'direct' || topicKey === undefined || !topics.isMuted(row.channelId, topicKey);
    });
  }

  private get excludesMuted(): boolean {
    return this.narrow.excluded.some(({ kind }) => kind === 'muted');
  }

  /** The reaches of the channels that may hold messages of the narrow. */
  private reaches(): Map<number, Reach> {
    const { narrow } = this;
    const { reader, directory } = this.own;
    const ids = new Set<number>();
    for (const condition of narrow.required) if (condition.kind === 'channel') ids.add(condition.channelId);
    if (ids.size === 0)
      // Nothing is unread in a channel that the reader has left; other received messages may have moved to any channel.
      for (const id of this.asks('unread')
        ? directory.subscribedChannelIds(reader._id)
        : directory.allChannels().map(({ _id }) => _id))
        ids.add(id);
    for (const condition of narrow.excluded) if (condition.kind === 'channel') ids.delete(condition.channelId);
    if (this.excludesMuted) for (const id of this.topics?.silentChannels ?? []) ids.delete(id);
    return new Map([...ids].map((id) => [id, channelReach(reader, id, directory)]));
  }

  private meets(row: MessageRow, condition: NarrowCondition): boolean {
    switch (condition.kind) {
      case 'channel':
        return row.type === 'channel' && row.channelId === condition.channelId;
      case 'sender':
        return row.senderId === condition.userId;
      case 'unread':
        return !this.own.has('read', row);
      default:
        // `scan` has selected by place.
        return true;
    }
  }

  /** The first rows in a direction, at most `limit`. */
  async take(limit: number, direction: Direction, ids: IdWindow = ALL_IDS): Promise<MessageRow[]> {
    const taken: MessageRow[] = [];
    if (limit === 0) return taken;
    for await (const rows of this.scan(direction, ids)) {
      taken.push(...rows.slice(0, limit - taken.length));
      if (taken.length === limit) break;
    }
    return taken;
  }

  private asks(kind: NarrowCondition['kind']): boolean {
    return this.narrow.required.some((condition) => condition.kind === kind);
  }

  private required<Kind extends NarrowCondition['kind']>(kind: Kind): Condition<Kind> | undefined {
    return this.narrow.required.find((condition): condition is Condition<Kind> => condition.kind === kind);
  }
}
