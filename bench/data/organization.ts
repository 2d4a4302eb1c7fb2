import { createHash } from 'node:crypto';
import type { ChannelEvent } from '../../src/events/channels/channels.events.js';
import { CHANNEL_PERMISSIONS } from '../../src/events/channels/channels.settings.js';
import type { SubscriptionEvent } from '../../src/events/channels/subscriptions.events.js';
import type { OrganizationEvent } from '../../src/events/organization/organization.events.js';
import { ROLES } from '../../src/events/shared/role.js';
import type { UserEvent } from '../../src/events/users/users.events.js';
import type { DomainEvent } from '../../src/platform/kernel/event.js';
import type { Account } from '../driver/request.js';
import { defaultPermissions } from './default-permissions.js';

const PERMISSIONS = defaultPermissions(CHANNEL_PERMISSIONS);

/** The ids of the channels that measurements name; ordinary ones follow. */
export const CHANNELS = {
  /** Has every reader that is measured, and one message of ten. */
  busy: 1,
  /** Has one message of fifty. */
  quiet: 2,
  /** Has all users but one as subscribers, and no message before the measurement. */
  everyone: 3,
  /** Has ten subscribers, and no message before the measurement. */
  ten: 4,
  /** Has one message of ten, all of them in one topic. */
  long: 5,
};

const FIRST_ORDINARY = 6;

/** The topic of the long channel. */
export const LONG_TOPIC = 'everything';

/** The topic, in the busy channel, whose messages are moved together. */
export const MOVED_TOPIC = 'to be moved';
export const MOVED_MESSAGES = 10_000;

/** The topic, in the busy channel, that has one message of fifty. */
export const BUSY_TOPIC = 'release planning';

export const SMALL_AUDIENCE = 10;

/** The ids of users with a part of their own; ordinary ones follow. */
export const USERS = {
  owner: 1,
  /** Subscribed to every channel, and in a conversation that has one message of fifty. */
  readerOfAll: 2,
  /** Subscribed to the quiet channel alone. */
  readerOfOne: 3,
  /** Wrote one message of fifty. */
  busySender: 4,
  /** The other half of the reader's conversation. */
  partner: 5,
  /** Subscribed to every channel; has read whole topics, in no order, and left UNREAD messages. */
  reader: 6,
  /** Has read like `reader`, but is in FEW channels only. */
  readerOfFew: 7,
  /** Like `reader`, and has marked some as unread again. */
  marker: 8,
};

const FIRST_ORDINARY_USER = 9;

/** Messages that the readers of whole topics have left unread. */
export const UNREAD = 50_000;

/** Channels that the reader of few is in. */
export const FEW = 10;

/** Events that are appended together. */
export interface Append<E extends DomainEvent> {
  readonly stream: string;
  readonly events: readonly E[];
}

/**
 * The measured organisation: its accounts, channels and subscriptions. Everything follows from two numbers, so that the
 * driver knows every account and channel of a log without reading it.
 */
export class Organization {
  readonly users: number;
  readonly channels: number;

  constructor({ users, channels }: { readonly users: number; readonly channels: number }) {
    this.users = users;
    this.channels = channels;
  }

  account(userId: number): Account {
    return { userId, email: `user${userId}@example.com`, apiKey: apiKeyOf(userId) };
  }

  channelName(channelId: number) {
    return `channel ${channelId}`;
  }

  /** Picks an ordinary user by any whole number. */
  ordinaryUser(n: number) {
    return FIRST_ORDINARY_USER + (n % (this.users - FIRST_ORDINARY_USER + 1));
  }

  /** Picks an ordinary channel by any whole number. */
  ordinaryChannel(n: number) {
    return FIRST_ORDINARY + (n % (this.channels - FIRST_ORDINARY + 1));
  }

  /** Lists user ids, ascending. */
  subscribersOf(channelId: number): number[] {
    const all = Array.from({ length: this.users }, (_, index) => index + 1);
    // The reader of one channel stays out of it: others are compared with that reader.
    if (channelId === CHANNELS.everyone) return all.filter((userId) => userId !== USERS.readerOfOne);
    if (channelId === CHANNELS.ten) return all.filter((id) => id !== USERS.readerOfOne).slice(0, SMALL_AUDIENCE);
    const everyTenth = all.filter((userId) => userId >= FIRST_ORDINARY_USER && (userId + channelId) % 100 === 0);
    const ofAll = [USERS.readerOfAll, USERS.reader, USERS.marker];
    const crowd = all.slice(FIRST_ORDINARY_USER - 1, FIRST_ORDINARY_USER + 999);
    if (channelId === CHANNELS.busy) return [...ofAll, USERS.busySender, USERS.partner, ...crowd];
    if (channelId === CHANNELS.long) return [...ofAll, ...crowd];
    if (channelId === CHANNELS.quiet) return [...ofAll, USERS.readerOfOne, ...everyTenth];
    const few = channelId < FIRST_ORDINARY + FEW ? [USERS.readerOfFew] : [];
    return [...ofAll, ...few, ...everyTenth];
  }

  /** Tells the organisation's history before the first message. */
  *history(): Generator<Append<OrganizationEvent | UserEvent | ChannelEvent | SubscriptionEvent>> {
    yield { stream: 'organization', events: [{ type: 'OrganizationCreated', data: { name: 'Bench' } }] };
    for (let first = 1; first <= this.users; first += 500) {
      const events: UserEvent[] = [];
      for (let userId = first; userId < Math.min(first + 500, this.users + 1); userId++) {
        const role = userId === USERS.owner ? ROLES.owner : ROLES.member;
        const { email, apiKey } = this.account(userId);
        const fullName = `User ${userId}`;
        events.push({
          type: 'UserCreated',
          data: { userId, email, fullName, role, passwordHash: null, channelIds: [] },
        });
        const keyHash = createHash('sha256').update(apiKey).digest('hex');
        events.push({ type: 'ApiKeyIssued', data: { userId, keyHash } });
      }
      yield { stream: 'users', events };
    }
    for (let channelId = 1; channelId <= this.channels; channelId++) {
      const channel = {
        channelId,
        name: this.channelName(channelId),
        description: 'A channel of the bench',
        renderedDescription: '<p>A channel of the bench</p>',
        inviteOnly: false,
        historyPublicToSubscribers: true,
        topicsPolicy: 'inherit' as const,
        messageRetentionDays: null,
        permissions: PERMISSIONS,
        creatorId: USERS.owner,
        subscriberIds: [],
        isDefault: false,
        folderId: null,
      };
      yield { stream: 'channels', events: [{ type: 'ChannelCreated', data: channel }] };
      const subscribed = { channelId, userIds: this.subscribersOf(channelId) };
      yield { stream: `subscriptions-${channelId}`, events: [{ type: 'UsersSubscribed', data: subscribed }] };
    }
  }
}

function apiKeyOf(userId: number) {
  return createHash('sha256').update(`bench ${userId}`).digest('hex').slice(0, 32);
}
