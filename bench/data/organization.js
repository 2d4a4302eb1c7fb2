// @ts-check
import { createHash } from 'node:crypto';
import { CHANNEL_PERMISSIONS } from '../../dist/src/channels/domain/channels.settings.js';
import { defaultGroupSetting } from '../../dist/src/kernel/group-setting.js';

/**
 * Who and what the measured organisation consists of. Everything follows from two numbers, so that the driver knows
 * every account and channel of a log without reading it.
 */

/** @typedef {import('../driver/request.js').Account} Account */

/** As channels that the server itself makes have them. */
const PERMISSIONS = Object.fromEntries(
  Object.entries(CHANNEL_PERMISSIONS).map(([name, setting]) => [name, defaultGroupSetting(setting)]),
);

const ROLE = { owner: 100, member: 400 };

/** The channels that measurements name; ordinary ones follow. */
export const CHANNELS = {
  /** Every reader that counts is in it, and one message of ten. */
  busy: 1,
  /** One message of fifty. */
  quiet: 2,
  /** As many subscribers as there are users; no message before the measurement. */
  everyone: 3,
  /** Ten subscribers; no message before the measurement. */
  ten: 4,
  /** One message of ten, all of them in one topic. */
  long: 5,
};

const FIRST_ORDINARY = 6;

/** The topic of the long channel. */
export const LONG_TOPIC = 'everything';

/** In the busy channel: the messages that are moved together. */
export const MOVED_TOPIC = 'to be moved';
export const MOVED_MESSAGES = 10_000;

/** In the busy channel: one message of fifty. */
export const BUSY_TOPIC = 'release planning';

export const SMALL_AUDIENCE = 10;

/** Users with a part of their own; the others follow. */
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
  /** Subscribed to every channel; has read topic after topic, in no order, but for UNREAD messages. */
  reader: 6,
  /** The same in FEW channels. */
  readerOfFew: 7,
  /** Like `reader`, and has marked some as unread again. */
  marker: 8,
};

const FIRST_ORDINARY_USER = 9;

/** How many messages are left unread by who has read topic after topic. */
export const UNREAD = 50_000;

/** Channels that the reader of few is in. */
export const FEW = 10;

export class Organization {
  /**
   * @param {object} size
   * @param {number} size.users
   * @param {number} size.channels
   */
  constructor({ users, channels }) {
    this.users = users;
    this.channels = channels;
  }

  /** @param {number} userId @returns {Account} */
  account(userId) {
    return { userId, email: `user${userId}@example.com`, apiKey: apiKeyOf(userId) };
  }

  /** @param {number} channelId */
  channelName(channelId) {
    return `channel ${channelId}`;
  }

  /** An ordinary user, by any whole number. @param {number} n */
  ordinaryUser(n) {
    return FIRST_ORDINARY_USER + (n % (this.users - FIRST_ORDINARY_USER + 1));
  }

  /** A channel that is none of those above, by any whole number. @param {number} n */
  ordinaryChannel(n) {
    return FIRST_ORDINARY + (n % (this.channels - FIRST_ORDINARY + 1));
  }

  /** Ascending. @param {number} channelId @returns {number[]} */
  subscribersOf(channelId) {
    const all = Array.from({ length: this.users }, (_, index) => index + 1);
    // The reader of one channel is the exception that the others are measured against.
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

  /**
   * The organisation's history before the first message, in the domain's own events; each list is one append.
   *
   * @returns {Generator<{ stream: string, events: { type: string, data: object }[] }>}
   */
  *history() {
    yield { stream: 'organization', events: [{ type: 'OrganizationCreated', data: { name: 'Bench' } }] };
    for (let first = 1; first <= this.users; first += 500) {
      const events = [];
      for (let userId = first; userId < Math.min(first + 500, this.users + 1); userId++) {
        const role = userId === USERS.owner ? ROLE.owner : ROLE.member;
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
        topicsPolicy: 'inherit',
        messageRetentionDays: null,
        permissions: PERMISSIONS,
        creatorId: USERS.owner,
        subscriberIds: [],
      };
      yield { stream: 'channels', events: [{ type: 'ChannelCreated', data: channel }] };
      const subscribed = { channelId, userIds: this.subscribersOf(channelId) };
      yield { stream: `subscriptions-${channelId}`, events: [{ type: 'UsersSubscribed', data: subscribed }] };
    }
  }
}

/** @param {number} userId */
function apiKeyOf(userId) {
  return createHash('sha256').update(`bench ${userId}`).digest('hex').slice(0, 32);
}
