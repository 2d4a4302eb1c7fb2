import { expect, it } from '@jest/globals';
import { partsOfServer } from '../../src/app/command-runner.module.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { type AppendedEvent, AwaitedParts } from '../../src/platform/commands/awaited-parts.js';

const parts = new AwaitedParts(partsOfServer);

function waitedFor(...events: readonly AppendedEvent[]): string {
  const { readModels, directory, consequences, inBackground } = parts.of(events);
  return [
    ...(directory ? ['DIRECTORY'] : []),
    ...readModels.map(({ name }) => name).sort(),
    ...(consequences > 0 ? [`consequences ${consequences}`] : []),
    ...(inBackground ? ['background'] : []),
  ].join(', ');
}

const place = { type: 'channel', channelId: 1, topic: 'a' } as const;
const sent = { senderId: 1, recipient: place, readBySender: true, content: { text: 'words' } };
const sending = (more: object): AppendedEvent => ({ type: 'MessageSent', data: { ...sent, ...more } });
const policies = 'client-events, messages, personal, consequences 1';

it.each<readonly [string, AppendedEvent, string]>([
  ['a send', sending({}), 'client-events, messages'],
  ['a send under a key', sending({ sendKey: {} }), 'client-events, messages, sends'],
  ['a send with a file', sending({ content: { attachmentIds: [1] } }), 'attachments, client-events, messages'],
  ['a send by which its sender follows the topic', sending({ senderPolicy: 3 }), policies],
  ['a send by which others follow the topic', sending({ newFollowerIds: [2] }), policies],
  ['a reaction', { type: 'ReactionAdded', data: { place } }, 'client-events, messages'],
  ['a reaction by which its user follows the topic', { type: 'ReactionAdded', data: { userPolicy: 3 } }, policies],
  ['an edit', { type: 'MessageEdited', data: { content: {} } }, 'client-events, messages'],
  [
    'an edit that takes a file away',
    { type: 'MessageEdited', data: { content: { previousAttachmentIds: [1] } } },
    'attachments, client-events, messages',
  ],
  ['a deletion', { type: 'MessageDeleted', data: {} }, 'client-events, messages'],
  ['a login', { type: 'ApiKeyIssued', data: {} }, 'DIRECTORY'],
  [
    'a setting of a user',
    { type: 'UserSettingChanged', data: { property: 'twenty_four_hour_time', to: true } },
    'DIRECTORY, client-events, drafts',
  ],
])('%s waits for no more than it changes', (_, event, expected) => {
  expect(waitedFor(event)).toBe(expected);
});

it('a request waits for everything that its events change', () => {
  const deletion = { type: 'MessageDeleted', data: {} };
  expect(waitedFor(deletion, { type: 'QueueDeleted', data: {} })).toBe('client-events, event-queues, messages');
});

it('a command that appended nothing waits for all documents that callers read', () => {
  const { readModels, directory, consequences } = parts.all;
  expect({ directory, consequences }).toEqual({ directory: true, consequences: 1 });
  const unread = partsOfServer.projections.filter((one) => !readModels.includes(one)).map(({ name }) => name);
  expect(unread).toEqual(['directory', 'audit', 'key-addresses']);
});

it('process managers append events of known types', () => {
  const appended = partsOfServer.processManagers.flatMap(({ appends }) => appends);
  expect(appended.filter((type) => !eventRegistry.has(type))).toEqual([]);
});

/** The parts that an answer waits for at most, by each type of event that its command may append. */
it('what answers wait for', () => {
  const derived = Object.fromEntries([...eventRegistry.keys()].map((type) => [type, waitedFor({ type })]));
  expect(derived).toEqual({
    OrganizationCreated: 'DIRECTORY, client-events',
    RealmSettingChanged: 'DIRECTORY, client-events, messages',
    DefaultChannelAdded: 'DIRECTORY, client-events',
    DefaultChannelRemoved: 'DIRECTORY, client-events',
    ProfileFieldCreated: 'DIRECTORY, client-events',
    ProfileFieldChanged: 'DIRECTORY, client-events',
    ProfileFieldRemoved: 'DIRECTORY, client-events',
    ProfileFieldsReordered: 'DIRECTORY, client-events',
    LinkifierAdded: 'DIRECTORY, client-events',
    LinkifierChanged: 'DIRECTORY, client-events',
    LinkifierRemoved: 'DIRECTORY, client-events',
    LinkifiersReordered: 'DIRECTORY, client-events',
    PlaygroundAdded: 'DIRECTORY, client-events',
    PlaygroundRemoved: 'DIRECTORY, client-events',
    OrganizationPictureChanged: 'DIRECTORY, client-events',
    OrganizationPictureRemoved: 'DIRECTORY, client-events',
    AvatarChanged: 'DIRECTORY, client-events',
    AvatarRemoved: 'DIRECTORY, client-events',
    CustomEmojiAdded: 'DIRECTORY, client-events',
    CustomEmojiDeactivated: 'DIRECTORY, client-events',
    UserCreated: 'DIRECTORY, client-events, invitations, messages, consequences 1',
    BotCreated: 'DIRECTORY, client-events',
    BotWebhookSet: 'DIRECTORY, client-events',
    BotWebhookReplaced: 'DIRECTORY, client-events',
    BotOwnerChanged: 'DIRECTORY, client-events',
    UserRenamed: 'DIRECTORY, client-events',
    UserRoleChanged: 'DIRECTORY, client-events',
    UserEmailChanged: 'DIRECTORY, client-events, invitations, consequences 1',
    PasswordChanged: 'DIRECTORY, client-events, push-devices, consequences 1',
    UserProfileChanged: 'DIRECTORY, client-events',
    ApiKeyIssued: 'DIRECTORY, client-events',
    ApiKeysRegenerated: 'DIRECTORY, client-events, push-devices, consequences 1',
    ApiKeysEnded: 'DIRECTORY, client-events, push-devices, consequences 1',
    UserDeactivated: 'DIRECTORY, client-events, invitations, push-devices, consequences 1',
    UserReactivated: 'DIRECTORY, client-events',
    PermissionGranted: 'DIRECTORY, client-events',
    PermissionRevoked: 'DIRECTORY, client-events',
    EmailChangeRequested: 'account-links',
    PasswordResetRequested: 'account-links',
    AccountLinkEnded: 'account-links',
    UserGroupCreated: 'DIRECTORY, client-events',
    UserGroupRenamed: 'DIRECTORY, client-events',
    UserGroupDescriptionChanged: 'DIRECTORY, client-events',
    UserGroupPermissionChanged: 'DIRECTORY, client-events',
    UserGroupDeactivated: 'DIRECTORY, client-events',
    UserGroupReactivated: 'DIRECTORY, client-events',
    UserGroupMembersAdded: 'DIRECTORY, client-events',
    UserGroupMembersRemoved: 'DIRECTORY, client-events',
    UserGroupSubgroupsAdded: 'DIRECTORY, client-events',
    UserGroupSubgroupsRemoved: 'DIRECTORY, client-events',
    ChannelCreated: 'DIRECTORY, client-events, consequences 1',
    ChannelRenamed: 'DIRECTORY, client-events',
    ChannelDescriptionChanged: 'DIRECTORY, client-events',
    ChannelPrivacyChanged: 'DIRECTORY, client-events, consequences 1',
    ChannelPermissionChanged: 'DIRECTORY, client-events',
    ChannelTopicsPolicyChanged: 'DIRECTORY, client-events',
    ChannelRetentionChanged: 'DIRECTORY, client-events',
    ChannelPutInFolder: 'DIRECTORY, client-events',
    ChannelArchived: 'DIRECTORY, client-events, consequences 1',
    ChannelUnarchived: 'DIRECTORY, client-events',
    ChannelFolderCreated: 'DIRECTORY, client-events',
    ChannelFolderRenamed: 'DIRECTORY, client-events',
    ChannelFolderDescriptionChanged: 'DIRECTORY, client-events',
    ChannelFolderArchived: 'DIRECTORY, client-events',
    ChannelFolderUnarchived: 'DIRECTORY, client-events',
    ChannelFoldersReordered: 'DIRECTORY, client-events',
    UsersSubscribed: 'DIRECTORY, client-events',
    UsersUnsubscribed: 'DIRECTORY, client-events, read-state, background',
    SubscriptionSettingChanged: 'DIRECTORY, client-events',
    MessageSent: 'attachments, client-events, messages, personal, sends, consequences 1',
    FlagsAdded: 'client-events, read-state',
    FlagsRemoved: 'client-events, read-state',
    AllMessagesRead: 'client-events, read-state',
    MessageEdited: 'attachments, client-events, messages',
    MessageDeleted: 'attachments, client-events, messages',
    ReactionAdded: 'client-events, messages, personal, consequences 1',
    ReactionRemoved: 'client-events, messages',
    MessagesMoved: 'client-events, messages, personal, read-state, consequences 1',
    TopicPolicySet: 'client-events, personal',
    AlertWordsAdded: 'client-events, personal',
    AlertWordsRemoved: 'client-events, personal',
    UserMuted: 'client-events, personal, read-state, background',
    UserUnmuted: 'client-events, personal, read-state',
    UserSettingChanged: 'DIRECTORY, client-events, drafts, consequences 1',
    DraftCreated: 'client-events, drafts',
    DraftEdited: 'client-events, drafts',
    DraftDeleted: 'client-events, drafts',
    SavedSnippetCreated: 'client-events, saved-snippets',
    SavedSnippetEdited: 'client-events, saved-snippets',
    SavedSnippetDeleted: 'client-events, saved-snippets',
    MessageScheduled: 'client-events, scheduled-messages',
    ScheduledMessageEdited: 'client-events, scheduled-messages',
    ScheduledMessageDeleted: 'client-events, scheduled-messages',
    ScheduledMessageSendBegun: 'scheduled-messages',
    ScheduledMessageSent: 'client-events, scheduled-messages',
    ScheduledMessageFailed: 'client-events, messages, scheduled-messages, consequences 1',
    ReminderSet: 'client-events, reminders',
    ReminderDeleted: 'client-events, reminders',
    ReminderSendBegun: 'reminders',
    ReminderSent: 'client-events, reminders',
    NavigationViewAdded: 'client-events, navigation-views',
    NavigationViewEdited: 'client-events, navigation-views',
    NavigationViewRemoved: 'client-events, navigation-views',
    BotStorageEntryAdded: 'bot-storage',
    BotStorageEntryReplaced: 'bot-storage',
    BotStorageEntryRemoved: 'bot-storage',
    UserStatusTextSet: 'client-events, user-statuses',
    UserStatusTextReplaced: 'client-events, user-statuses',
    UserStatusTextCleared: 'client-events, user-statuses',
    UserStatusEmojiChanged: 'client-events, user-statuses',
    PushTokenAdded: 'push-devices',
    PushTokenRemoved: 'push-devices',
    PushDeviceRegistered: 'client-events, push-devices',
    PushDeviceActivated: 'client-events, push-devices',
    PushDeviceFailed: 'client-events, push-devices',
    PushDeviceRemoved: 'push-devices',
    InvitationSent: 'client-events, invitations',
    InvitationResent: 'invitations',
    InvitationMailRefused: 'client-events, invitations',
    InvitationLinkCreated: 'client-events, invitations',
    JoinConfirmationSent: 'invitations',
    InvitationRevoked: 'client-events, invitations',
    InvitationExpired: 'invitations',
    InvitationAccepted: 'DIRECTORY, client-events, invitations, messages, consequences 2',
    InvitationCompleted: 'invitations',
    FileUploaded: 'attachments, client-events',
    FileDeleted: 'attachments, client-events',
    QueueRegistered: 'event-queues',
    QueueDeleted: 'event-queues',
    QueueExpired: 'event-queues',
    LoggedIn: '',
    RestoredLogAccepted: '',
    BackupRestored: '',
    DeletedKeysFound: '',
    LogSignerChanged: '',
    EventSkipped: '',
    MissingKeysAccepted: '',
    LoginFailed: '',
    AuditRead: '',
    AuditWordsRead: '',
    ActRefused: '',
    KeyUsedElsewhere: '',
    OperatorActed: '',
    MoreAccesses: '',
  });
});
