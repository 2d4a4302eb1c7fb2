import type { ChannelCreated } from '../../../src/events/channels/channels.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { SYSTEM_BOTS } from '../../../src/events/shared/system-bots.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Json } from '../../../src/platform/kernel/json.js';

interface Account {
  name: string;
  email: string;
  role: number;
  isActive: boolean;
  readonly since: number;
}

interface Message {
  readonly sender: number;
  readonly sent: number;
  readonly people: readonly number[] | null;
  readonly called: readonly number[];
  channelId: number | null;
  topic: string | null;
  /** Those subscribed when it came to its channel. */
  witnesses: ReadonlySet<number>;
  hasLeftChannel: boolean;
  revision: number;
  content: Json;
  edited: Act | null;
  moved: Act | null;
  deleted: Act | null;
}

interface Act {
  readonly at: number;
  readonly by: number | null;
}

type Channel = Pick<ChannelCreated['data'], 'name' | 'inviteOnly' | 'historyPublicToSubscribers'> & {
  readonly permissions: Readonly<Record<string, unknown>>;
};

interface Group {
  readonly members: Set<number>;
  readonly subgroups: ReadonlySet<number>;
}

const GUEST = 600;
const MEMBER = 400;
const MODERATOR = 300;
const DAY = 86_400_000;

/** The whole organization, event by event: everything that a message's readers depend on. */
export class MessageFold {
  private readonly accounts = new Map<number, Account>();
  private readonly channels = new Map<number, Channel>();
  private readonly groups = new Map<number, Group>();
  private readonly subscribers = new Map<number, Set<number>>();
  private readonly messages = new Map<number, Message>();
  private waitingDays = 0;

  constructor(
    events: readonly Recorded[],
    private readonly at: number,
  ) {
    for (const event of events) this.apply(event);
  }

  /** The answer of `GET /audit/message`; null: there was no such message. */
  answer(id: number, words: boolean): object | null {
    const message = this.messages.get(id);
    if (!message) return null;
    const { channelId, edited, moved, deleted } = message;
    const act = (done: Act | null) =>
      done && { time: new Date(done.at).toISOString(), by: done.by === null ? null : this.account(done.by) };
    return {
      message_id: id,
      as_of: new Date(this.at).toISOString(),
      sent: act({ at: message.sent, by: message.sender }),
      ...{ edited: act(edited), moved: act(moved), deleted: act(deleted), revision: message.revision },
      content: words ? message.content : { sealed: true },
      channel: channelId === null ? null : { channel_id: channelId, name: this.channels.get(channelId)?.name ?? null },
      topic: message.topic,
      participants: message.people?.map((one) => this.account(one)) ?? null,
      readers: [...this.accounts]
        .filter(([userId, account]) => account.isActive && !deleted && this.reads(userId, account, message))
        .map(([user_id, { name }]) => ({ user_id, name }))
        .sort((a, b) => a.user_id - b.user_id),
    };
  }

  private account(user_id: number) {
    const bot = SYSTEM_BOTS.find(({ id }) => id === user_id);
    const { name = bot?.fullName, email = bot?.email } = this.accounts.get(user_id) ?? {};
    return { user_id, name, email };
  }

  private reads(userId: number, account: Account, message: Message): boolean {
    if (message.people) return message.people.includes(userId);
    const channel = this.channels.get(message.channelId ?? 0);
    if (!channel) return false;
    const isIn = this.subscribers.get(message.channelId ?? 0)?.has(userId) ?? false;
    const isGuest = account.role === GUEST;
    if (message.called.includes(userId) && !message.hasLeftChannel) return true;
    const { can_subscribe_group: joins, can_add_subscribers_group: adds } = channel.permissions;
    const isGiven = this.isIn(userId, account, joins) || this.isIn(userId, account, adds);
    if (!isIn && (isGuest || (channel.inviteOnly && !isGiven))) return false;
    if (channel.historyPublicToSubscribers || (!channel.inviteOnly && !isGuest)) return true;
    return isIn && message.witnesses.has(userId);
  }

  private isIn(userId: number, account: Account, value: unknown): boolean {
    if (typeof value !== 'number') {
      const { direct_members: members, direct_subgroups: groups } = value as Readonly<Record<string, number[]>>;
      return Boolean(members?.includes(userId) || groups?.some((group) => this.isIn(userId, account, group)));
    }
    const { role, since } = account;
    const isFull = role <= MODERATOR || (role === MEMBER && this.at - since >= this.waitingDays * DAY);
    switch (value) {
      case SYSTEM_GROUP_IDS['role:nobody']:
        return false;
      case SYSTEM_GROUP_IDS['role:owners']:
        return role <= 100;
      case SYSTEM_GROUP_IDS['role:administrators']:
        return role <= 200;
      case SYSTEM_GROUP_IDS['role:moderators']:
        return role <= MODERATOR;
      case SYSTEM_GROUP_IDS['role:fullmembers']:
        return isFull;
      case SYSTEM_GROUP_IDS['role:members']:
        return role <= MEMBER;
      case SYSTEM_GROUP_IDS['role:everyone']:
      case SYSTEM_GROUP_IDS['role:internet']:
        return true;
    }
    const group = this.groups.get(value);
    if (!group) return false;
    return group.members.has(userId) || [...group.subgroups].some((one) => this.isIn(userId, account, one));
  }

  private apply({ type, data: stored, metadata, revision }: Recorded): void {
    // biome-ignore lint/suspicious/noExplicitAny: each case knows its event
    const data = stored as any;
    const act = { at: metadata.at, by: metadata.actorId };
    const account = this.accounts.get(data.userId);
    const channel = this.channels.get(data.channelId);
    const group = this.groups.get(data.groupId);
    const message = this.messages.get(data.messageId);
    const subscribers = (id: number) => this.subscribers.get(id) ?? new Set();
    switch (type) {
      case 'UserCreated':
      case 'BotCreated': {
        const { fullName: name, email, role } = data;
        this.accounts.set(data.userId, { name, email, role, isActive: true, since: metadata.at });
        return;
      }
      case 'UserRenamed':
      case 'UserEmailChanged':
      case 'UserRoleChanged':
        if (account) Object.assign(account, { [CHANGED[type]]: data.to });
        return;
      case 'UserDeactivated':
      case 'UserReactivated':
        if (account) account.isActive = type === 'UserReactivated';
        return;
      case 'RealmSettingChanged':
        if (data.setting === 'waiting_period_threshold') this.waitingDays = data.to;
        return;
      case 'ChannelCreated':
        this.channels.set(data.channelId, data);
        return;
      case 'ChannelRenamed':
        if (channel) this.channels.set(data.channelId, { ...channel, name: data.to });
        return;
      case 'ChannelPrivacyChanged':
        if (channel) this.channels.set(data.channelId, { ...channel, ...data.to });
        return;
      case 'ChannelPermissionChanged':
        if (channel)
          this.channels.set(data.channelId, {
            ...channel,
            permissions: { ...channel.permissions, [data.setting]: data.to },
          });
        return;
      case 'UsersSubscribed':
      case 'UsersUnsubscribed': {
        const changed = new Set(subscribers(data.channelId));
        for (const id of data.userIds) changed[type === 'UsersSubscribed' ? 'add' : 'delete'](id);
        this.subscribers.set(data.channelId, changed as Set<number>);
        return;
      }
      case 'UserGroupCreated':
        this.groups.set(data.groupId, { members: new Set(data.memberIds), subgroups: new Set(data.subgroupIds) });
        return;
      case 'UserGroupMembersAdded':
      case 'UserGroupMembersRemoved':
        for (const id of data.userIds) group?.members[type === 'UserGroupMembersAdded' ? 'add' : 'delete'](id);
        return;
      case 'MessageSent': {
        const { recipient, senderId: sender, calledBotIds: called = [], content } = data;
        const isDirect = recipient.type === 'direct';
        const place = { channelId: isDirect ? null : recipient.channelId, topic: isDirect ? null : recipient.topic };
        const done = { edited: null, moved: null, deleted: null, hasLeftChannel: false, revision: 0 };
        const witnesses = new Set(subscribers(recipient.channelId)) as ReadonlySet<number>;
        const people = isDirect ? recipient.userIds : null;
        const sent = { sender, sent: metadata.at, called, content, people, ...place, witnesses, ...done };
        this.messages.set(revision + 1, sent);
        return;
      }
      case 'MessageEdited':
        if (message) Object.assign(message, { edited: act, content: data.content, revision: data.contentRevision });
        return;
      case 'MessageDeleted':
        if (message) Object.assign(message, { deleted: act, content: null });
        return;
      case 'MessagesMoved': {
        const { anchorId, propagateMode: mode, from, to, reach } = data;
        for (const [id, one] of this.messages) {
          const isThere = one.channelId === from.channelId && one.topic?.toLowerCase() === from.topic.toLowerCase();
          const isReached =
            reach === null || reach.some(([a, b]: number[]) => id >= Number(a) && (b === null || id <= Number(b)));
          const isTaken =
            mode === 'change_one' ? id === anchorId : isReached && (mode === 'change_all' || id >= anchorId);
          if (!isThere || !isTaken || one.deleted) continue;
          Object.assign(one, { moved: act, topic: to.topic, channelId: to.channelId });
          if (to.channelId === from.channelId) continue;
          Object.assign(one, { hasLeftChannel: true, witnesses: new Set(subscribers(to.channelId)) });
        }
        return;
      }
    }
  }
}

const CHANGED = { UserRenamed: 'name', UserEmailChanged: 'email', UserRoleChanged: 'role' } as const;
