import { describe, expect, it } from '@jest/globals';
import { projections } from '../../projections/index.js';
import type { LoginFailed, OperatorActed } from '../../src/events/accesses/accesses.events.js';
import type { BotStorageEntryAdded, BotStorageEntryReplaced } from '../../src/events/bot-storage/bot-storage.events.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import type { PushDeviceRegistered, PushTokenAdded } from '../../src/events/push/push.events.js';
import type { ReminderSet } from '../../src/events/reminders/reminders.events.js';
import type {
  MessageScheduled,
  ScheduledMessageEdited,
} from '../../src/events/scheduled-messages/scheduled-messages.events.js';
import type { UserStatusTextReplaced, UserStatusTextSet } from '../../src/events/user-status/user-status.events.js';
import type { EmailChangeRequested } from '../../src/events/users/account-links.events.js';
import type { BotWebhookReplaced, BotWebhookSet } from '../../src/events/users/bot-webhooks.events.js';
import { erasuresIn } from '../../src/platform/consumers/erased-content.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { accepted, confirmationSent, linkCreated, sent } from '../features/invitations/invitations.events.js';
import { history } from '../support/events/history.js';
import { recordedEvents } from '../support/events/recorded.js';
import { botCreated, userCreated } from '../support/events/users.js';
import { projected } from '../support/projections/projected.js';

const MARK = 'content of an event';
const holding = projections.filter(({ holdsContent }) => holdsContent);

const registered: PushDeviceRegistered = {
  type: 'PushDeviceRegistered',
  data: {
    userId: 1,
    pushAccountId: '12',
    kind: 'fcm',
    keyId: 'k',
    registration: { publicKey: 'p', sealedUnder: 'b', sealed: 'box' },
    apiKeyId: 'own',
  },
};

const stored: BotStorageEntryAdded = {
  type: 'BotStorageEntryAdded',
  data: { userId: 1, keyId: 'k', entry: { name: 'n', value: 'v' } },
};

const called: BotWebhookSet = {
  type: 'BotWebhookSet',
  data: { userId: 9, interface: 1, keyId: 'w', webhook: { url: 'https://example.com', token: 't' } },
};

const calledElsewhere: BotWebhookReplaced = {
  type: 'BotWebhookReplaced',
  data: { ...called.data, keyId: 'x', previousKeyId: 'w' },
};

const away: UserStatusTextSet = {
  type: 'UserStatusTextSet',
  data: { userId: 1, keyId: 'k', words: { text: 'away' }, told: ['text'] },
};

const back: UserStatusTextReplaced = {
  type: 'UserStatusTextReplaced',
  data: { userId: 1, keyId: 'l', previousKeyId: 'k', words: { text: 'back' }, told: ['text'] },
};

const head = { recipient: { type: 'channel', channelId: 1 }, sendAt: 1, readBySender: true } as const;
const later = { topic: 'topic', text: 'later', rendered: '<p>later</p>' };

const scheduled: MessageScheduled = {
  type: 'MessageScheduled',
  data: { userId: 1, scheduleId: 1, ...head, keyId: 'm', words: later },
};

const rescheduled: ScheduledMessageEdited = {
  type: 'ScheduledMessageEdited',
  data: { userId: 1, scheduleId: 1, keyId: 'n', previousKeyId: 'm', from: head, to: head, words: later },
};

const reminder: ReminderSet = {
  type: 'ReminderSet',
  data: { userId: 1, reminderId: 2, messageId: 1, sendAt: 1, keyId: 'o', words: { note: 'note' } },
};

const replaced: BotStorageEntryReplaced = {
  type: 'BotStorageEntryReplaced',
  data: { userId: 1, keyId: 'l', previousKeyId: 'k', entry: { name: 'n', value: 'w' } },
};

const tokenAdded: PushTokenAdded = {
  type: 'PushTokenAdded',
  data: { userId: 1, kind: 'fcm', keyId: 'p', token: { token: 't', appId: null }, apiKeyId: 'own' },
};

const addressAsked: EmailChangeRequested = {
  type: 'EmailChangeRequested',
  data: { userId: 1, keyId: 'q', tokenHash: 'h', expiresAt: 1, address: { email: 'new@example.com' }, vetoHash: null },
};

const loginFailed: LoginFailed = {
  type: 'LoginFailed',
  data: {
    userId: null,
    secret: 'password',
    reason: 'AUTHENTICATION_FAILED',
    words: { account: 'iris' },
    count: 1,
    firstAt: 1,
    lastAt: 1,
  },
};

const operatorActed: OperatorActed = {
  type: 'OperatorActed',
  data: { command: 'log', options: { message: [1] }, words: { user: 'root', sudoUser: 'iris' } },
};

/** Events that no released version has recorded. */
const unreleased = history(
  ['users', userCreated(1)],
  ['users', botCreated(9, 1, { botType: 3 })],
  ['users', called],
  ['users', calledElsewhere],
  ['users', addressAsked],
  ['user-1', registered],
  ['user-1', tokenAdded],
  ['botStorage-1', stored],
  ['botStorage-1', replaced],
  ['user-1', away],
  ['user-1', back],
  ['user-1', scheduled],
  ['user-1', rescheduled],
  ['user-1', reminder],
  ['invitations', sent(1)],
  ['invitations', linkCreated(2, { welcome: { text: 'welcome' } })],
  ['invitations', confirmationSent(3)],
  ['invitations', accepted(1)],
  ['accesses', loginFailed],
  ['accesses', operatorActed],
);

describe('an erasure', () => {
  it('purges the documents that held the content', () => {
    const erasures = [...erasuresIn(eventRegistry, projections)];
    expect(Object.fromEntries(erasures.map(([type, heldBy]) => [type, heldBy.map(({ name }) => name)]))).toEqual({
      MessageDeleted: ['messages', 'attachments'],
      FileDeleted: ['attachments'],
      BotWebhookReplaced: ['directory'],
      // They end files alone, which no documents hold.
      AvatarChanged: [],
      AvatarRemoved: [],
      OrganizationPictureChanged: [],
      OrganizationPictureRemoved: [],
      DraftEdited: ['drafts'],
      DraftDeleted: ['drafts'],
      SavedSnippetDeleted: ['saved-snippets'],
      ScheduledMessageEdited: ['scheduled-messages'],
      ScheduledMessageDeleted: ['scheduled-messages'],
      ScheduledMessageSent: ['scheduled-messages'],
      ReminderDeleted: ['reminders'],
      ReminderSent: ['reminders'],
      BotStorageEntryReplaced: ['bot-storage'],
      BotStorageEntryRemoved: ['bot-storage'],
      UserStatusTextReplaced: ['user-statuses'],
      UserStatusTextCleared: ['user-statuses'],
      PushTokenRemoved: ['push-devices'],
      PushDeviceFailed: ['push-devices'],
      PushDeviceRemoved: ['push-devices'],
      InvitationRevoked: ['invitations'],
      InvitationExpired: ['invitations'],
      InvitationCompleted: ['invitations'],
      AccountLinkEnded: ['account-links'],
    });
    expect(new Set(erasures.flatMap(([, heldBy]) => heldBy))).toEqual(new Set(holding));
  });
});

describe('the documents of a projection', () => {
  const others = projections.filter((one) => !holding.includes(one)).map((one) => [one.name, one] as const);

  it.each(others)('hold no content without the flag for it: %s', async (_, projection) => {
    const recorded = await recordedEvents();
    const given = new Set([...recorded, ...unreleased].map(({ type }) => type));
    const handled = Object.keys(projection.on).filter((type) => eventRegistry.get(type)?.sealed);
    expect(handled.filter((type) => !given.has(type))).toEqual([]);
    for (const events of [recorded, unreleased])
      expect(JSON.stringify(await projected(projection, events.map(marked)))).not.toContain(MARK);
  });

  it('show the mark of the content that they hold', async () => {
    const recorded = (await recordedEvents()).map(marked);
    for (const one of holding.filter(({ name }) => ['messages', 'attachments', 'drafts'].includes(name)))
      expect(JSON.stringify(await projected(one, recorded))).toContain(MARK);
  });
});

/** The event with a mark in every text of its content. */
function marked(event: Recorded): Recorded {
  const field = eventRegistry.get(event.type)?.sealed?.field;
  if (field === undefined) return event;
  const content: unknown = JSON.parse(JSON.stringify(Reflect.get(event.data, field)), (_, value) =>
    typeof value === 'string' ? `${value} ${MARK}` : value,
  );
  return { ...event, data: { ...event.data, [field]: content } };
}
