import type { UserSettingChanged } from '../../events/personal/user-settings.events.js';
import type { BotWebhookEvent } from '../../events/users/bot-webhooks.events.js';
import type {
  ApiKeyIssued,
  ApiKeysRegenerated,
  BotCreated,
  UserCreated,
  UserEvent,
} from '../../events/users/users.events.js';
import type { Recorded } from '../../platform/kernel/event.js';
import { foldCase } from '../../platform/kernel/text.js';
import type { UserRecord } from '../directory.records.js';
import { alters, begun, creates, ended, ofUser, type Rules } from './rule.js';

export const userSettingRules: Rules<UserSettingChanged> = {
  UserSettingChanged: alters('users', ofUser, ({ data }, { settings }) => ({
    settings: { ...settings, [data.property]: data.to },
  })),
};

export const userRules: Rules<UserEvent> = {
  UserCreated: creates((event) => ({
    kind: 'users',
    record: { ...account(event), bot: null, passwordHash: event.data.passwordHash, apiKeys: [] },
  })),
  BotCreated: creates((event) => {
    const { botType: type, ownerId } = event.data;
    return {
      kind: 'users',
      record: { ...account(event), bot: { type, ownerId }, passwordHash: null, apiKeys: [keyOf(event)] },
    };
  }),
  BotWebhookSet: alters('users', ofUser, called),
  BotWebhookReplaced: alters('users', ofUser, called),
  BotOwnerChanged: alters('users', ofUser, ({ data }, { bot }) => ({ bot: bot && { ...bot, ownerId: data.to } })),
  UserRenamed: alters('users', ofUser, ({ data }) => ({ fullName: data.to })),
  UserRoleChanged: alters('users', ofUser, ({ data, position }, { roleIntervals }) => ({
    role: data.to,
    roleIntervals: [...ended(roleIntervals, position), { role: data.to, from: position, to: null }],
  })),
  UserEmailChanged: alters('users', ofUser, ({ data }) => ({ email: data.to, emailKey: foldCase(data.to) })),
  PasswordChanged: alters('users', ofUser, ({ data }) => ({ passwordHash: data.passwordHash })),
  UserProfileChanged: alters('users', ofUser, ({ data }, { profile }) => {
    const { [data.fieldId]: _before, ...others } = profile;
    const { to: value, rendered } = data;
    return { profile: value === null ? others : { ...others, [data.fieldId]: { value, rendered } } };
  }),
  ApiKeyIssued: alters('users', ofUser, (event, { apiKeys }) => ({ apiKeys: [...apiKeys, keyOf(event)] })),
  ApiKeysRegenerated: alters('users', ofUser, (event) => ({ apiKeys: [keyOf(event)] })),
  ApiKeysEnded: alters('users', ofUser, ({ data }, { apiKeys }) => ({
    apiKeys: apiKeys.filter(({ hash }) => !data.keyHashes.includes(hash)),
  })),
  UserDeactivated: alters('users', ofUser, ({ position }, { activeIntervals }) => ({
    isActive: false,
    activeIntervals: ended(activeIntervals, position),
  })),
  UserReactivated: alters('users', ofUser, ({ position }, { activeIntervals }) => ({
    isActive: true,
    activeIntervals: begun(activeIntervals, position),
  })),
  PermissionGranted: alters('users', ofUser, ({ data }, { specialPermissions }) => ({
    specialPermissions: [...specialPermissions.filter((other) => other !== data.permission), data.permission],
  })),
  PermissionRevoked: alters('users', ofUser, ({ data }, { specialPermissions }) => ({
    specialPermissions: specialPermissions.filter((other) => other !== data.permission),
  })),
};

function called({ data }: BotWebhookEvent, { bot }: UserRecord): Partial<UserRecord> {
  const webhook = data.webhook && { ...data.webhook, interface: data.interface };
  return { bot: bot && { ...bot, webhook } };
}

const keyOf = ({
  data,
  metadata,
}: Recorded<BotCreated | ApiKeyIssued | ApiKeysRegenerated>): UserRecord['apiKeys'][number] => ({
  hash: data.keyHash,
  client: metadata.client,
  issuedAt: metadata.at,
});

/** The fields that a person's account and a bot's have in common. */
function account({
  data,
  metadata,
  position,
}: Recorded<UserCreated | BotCreated>): Omit<UserRecord, 'bot' | 'passwordHash' | 'apiKeys'> {
  const interval = { from: position, to: null };
  return {
    _id: data.userId,
    email: data.email,
    emailKey: foldCase(data.email),
    fullName: data.fullName,
    role: data.role,
    roleIntervals: [{ role: data.role, ...interval }],
    isActive: true,
    activeIntervals: [interval],
    createdAt: metadata.at,
    specialPermissions: [],
    profile: {},
    position,
  };
}
