import type { MessageDocument } from '../../projections/messages/messages.projection.js';
import type { ChannelRecord, UserRecord } from '../../src/directory/directory.records.js';
import { ROLES, type Role } from '../../src/events/shared/role.js';
import { History } from './messages/messages-history.js';

const at = <T>(list: readonly T[], index: number): T => list[index] as T;

/** A history of posts and subscriptions, and who received each message. Users and channels are named by their index. */
export class PlayedHistory {
  readonly history = new History();
  readonly users: readonly UserRecord[];
  readonly channels: readonly ChannelRecord[];
  /** The present subscribers of each channel. */
  private readonly members: readonly Set<number>[];
  /** Who subscribed when a message was sent, by message id. */
  private readonly receivers = new Map<number, ReadonlySet<number>>();

  constructor(roles: readonly Role[], kinds: readonly Parameters<History['channel']>[0][]) {
    this.users = roles.map((role) => this.history.user(role));
    this.channels = kinds.map((kind) => this.history.channel(kind));
    this.members = kinds.map(() => new Set<number>());
  }

  /** Subscribes the user, or unsubscribes a subscriber. */
  toggle(user: number, channel: number): void {
    const [actor, place, subscribers] = [at(this.users, user), at(this.channels, channel), at(this.members, channel)];
    if (subscribers.delete(actor._id)) this.history.unsubscribe(place, actor);
    else {
      subscribers.add(actor._id);
      this.history.subscribe(place, actor);
    }
  }

  post(user: number, channel: number, topic: string, more: Parameters<History['post']>[3]): void {
    const { _id } = this.history.post(at(this.users, user), at(this.channels, channel), topic, more);
    this.receivers.set(_id, new Set(at(this.members, channel)));
  }

  whisper(user: number, others: readonly number[], more: Parameters<History['whisper']>[2]): void {
    const recipients = others.map((index) => at(this.users, index));
    this.history.whisper(at(this.users, user), recipients, more);
  }

  /** Whether the reader may read the message, by the rules of access. */
  sees(reader: UserRecord, message: MessageDocument, wholeHistory: boolean): boolean {
    if (message.type === 'direct') return message.participants.includes(reader._id);
    const kind = this.channels[message.channelId - 1];
    const subscribes = this.members[message.channelId - 1]?.has(reader._id) ?? false;
    const isOpen = !kind?.inviteOnly && reader.role !== ROLES.guest;
    if (!isOpen && !subscribes) return false;
    const received = this.receivers.get(message._id)?.has(reader._id) ?? false;
    return received || (wholeHistory && (isOpen || kind?.historyPublicToSubscribers === true));
  }
}
