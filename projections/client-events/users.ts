import type { AvatarRecord, UserRecord } from '../../src/directory/directory.records.js';
import type { UserSettingValue } from '../../src/events/personal/user-settings.events.js';
import { ADMINISTRATORS, ROLES, type Role } from '../../src/events/shared/role.js';
import type { UserEvent, UserRoleChanged } from '../../src/events/users/users.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';
import { channelsAppear, channelsDisappear } from './channels.js';
import { clientEvent, EVERYONE, staticClientEvent } from './client-event.js';
import type { Audience, ClientEventDocument } from './client-events.documents.js';
import { type ClientEventRules, noClientEvent } from './directory-rules.js';
import { memberAgain } from './member-again.js';
import { defaultChannelsWithRole } from './organization.js';
import { starsLost } from './read-state.js';
import { subscriberActivated, subscriberDeactivated, subscribersAppear } from './subscriptions.js';
import { changedSystemGroups, joinedSystemGroups } from './system-groups.js';

/** Facts that never change after an account's creation. */
type UserFacts = Pick<UserRecord, '_id' | 'email' | 'fullName' | 'role' | 'bot'>;

/** A bot's facts for its keepers. */
export type BotFacts = Pick<UserRecord, '_id' | 'email' | 'fullName' | 'bot' | 'isActive' | 'avatar'>;

type UserChange =
  | { readonly bot_owner_id: number }
  | { readonly full_name: string }
  | { readonly role: Role }
  | { readonly delivery_email: string }
  | { readonly new_email: string }
  | { readonly is_active: boolean }
  | { readonly email: string; readonly timezone: UserSettingValue }
  | {
      readonly custom_profile_field: {
        readonly id: number;
        readonly value: string | null;
        readonly rendered_value?: string;
      };
    };

type BotChange =
  | { readonly avatar_url: string }
  | { readonly full_name: string }
  | { readonly is_active: boolean }
  | { readonly owner_id: number };

export const userAdd = clientEvent<{ readonly user: UserFacts }>()({ kind: 'realm_user/add', rank: 1024 });

export const userUpdate = staticClientEvent<{ readonly person: { readonly user_id: number } & UserChange }>()({
  kind: 'realm_user/update',
  rank: 1024,
});

/** `realm_user/update` of the avatar. */
export const avatarUpdate = clientEvent<{
  readonly userId: number;
  readonly email: string;
  readonly avatar?: AvatarRecord;
}>()({ kind: 'realm_user/avatar', rank: 1032 });

export const botUpdate = staticClientEvent<{ readonly bot: { readonly user_id: number } & BotChange }>()({
  kind: 'realm_bot/update',
  rank: 1048,
});

export const botDelete = staticClientEvent<{ readonly bot: { readonly user_id: number } }>()({
  kind: 'realm_bot/delete',
  rank: 1052,
});

export const botAdd = clientEvent<{ readonly bot: BotFacts }>()({ kind: 'realm_bot/add', rank: 1056 });

/** The services of a bot have changed. The event names only the bot: its webhook is filled in when the event is sent. */
export const botServices = clientEvent<{ readonly userId: number }>()({ kind: 'realm_bot/services', rank: 1050 });

/** Tells changes of accounts. A request with several changes is told as one client event for each. */
export const userRules: ClientEventRules<UserEvent> = {
  UserCreated: async (event, after, documents) => {
    const { userId: _id, email, fullName, role } = event.data;
    return [
      userAdd.of(event, EVERYONE, { user: { _id, email, fullName, role, bot: null } }),
      ...(await joinedSystemGroups(event, after('users', _id), documents)),
    ];
  },
  BotCreated: async (event, after, documents) => {
    const { userId: _id, email, fullName, role, botType: type, ownerId } = event.data;
    const bot = { type, ownerId };
    return [
      userAdd.of(event, EVERYONE, { user: { _id, email, fullName, role, bot } }),
      botCreated(event, after('users', _id)),
      ...(await joinedSystemGroups(event, after('users', _id), documents)),
    ];
  },
  // Told with the bot itself, which is created in the same append.
  BotWebhookSet: noClientEvent,
  BotWebhookReplaced: (event, after) => {
    const { userId } = event.data;
    return [botServices.of(event, keepersOf(after('users', userId)), { userId })];
  },
  BotOwnerChanged: (event, after) => {
    const { userId: user_id, from, to: bot_owner_id } = event.data;
    return [
      userUpdate.of(event, EVERYONE, { person: { user_id, bot_owner_id } }),
      ...botHandedOver(event, after('users', user_id), from),
    ];
  },
  UserRenamed: (event, after) => {
    const { userId: user_id, to: full_name } = event.data;
    return [
      userUpdate.of(event, EVERYONE, { person: { user_id, full_name } }),
      ...botDiffers(event, after('users', user_id), { full_name }),
    ];
  },
  UserRoleChanged: async (event, after, documents) => {
    const { userId: user_id, to } = event.data;
    const own = { userIds: [user_id] };
    return [
      channelsAppear.of(event, own, {}),
      userUpdate.of(event, EVERYONE, { person: { user_id, role: to } }),
      ...(await defaultChannelsWithRole(event, documents)),
      ...(await botsWithRole(event, documents)),
      ...(await changedSystemGroups(event, after('users', user_id), documents)),
      subscribersAppear.of(event, own, {}),
      channelsDisappear.of(event, own, {}),
      ...(to === ROLES.guest ? [starsLost.of(event, own, {})] : []),
    ];
  },
  UserEmailChanged: (event, after) => {
    const { userId: user_id, to: email } = event.data;
    const { avatar } = after('users', user_id);
    return [
      userUpdate.of(event, EVERYONE, { person: { user_id, delivery_email: email } }),
      userUpdate.of(event, EVERYONE, { person: { user_id, new_email: email } }, { nth: 1 }),
      avatarUpdate.of(event, EVERYONE, { userId: user_id, email, ...(avatar && { avatar }) }),
    ];
  },
  UserProfileChanged: (event) => {
    const { userId: user_id, fieldId: id, to: value, rendered } = event.data;
    const html = rendered === null ? {} : { rendered_value: rendered };
    const person = { user_id, custom_profile_field: { id, value, ...html } };
    return [userUpdate.of(event, EVERYONE, { person })];
  },
  PasswordChanged: noClientEvent,
  ApiKeyIssued: noClientEvent,
  ApiKeysRegenerated: noClientEvent,
  ApiKeysEnded: noClientEvent,
  // Clients remove a deactivated account from groups and permissions by themselves.
  UserDeactivated: (event, after) => {
    const { userId } = event.data;
    return [
      subscriberDeactivated.of(event, EVERYONE, { userId }),
      userUpdate.of(event, EVERYONE, { person: { user_id: userId, is_active: false } }),
      ...botDiffers(event, after('users', userId), { is_active: false }),
    ];
  },
  UserReactivated: async (event, after, documents) => {
    const { userId } = event.data;
    return [
      userUpdate.of(event, EVERYONE, { person: { user_id: userId, is_active: true } }),
      ...botDiffers(event, after('users', userId), { is_active: true }),
      subscriberActivated.of(event, EVERYONE, { userId }),
      ...(await memberAgain(event, after('users', userId), documents)),
    ];
  },
  PermissionGranted: noClientEvent,
  PermissionRevoked: noClientEvent,
};

/** Maximum number of client events of one domain event. A new administrator learns of further bots when registering. */
const MOST_BOTS = 700;

/** Selects the keepers of a bot: administrators and its owner. */
const keepersOf = ({ bot }: Pick<UserRecord, 'bot'>): Audience => ({
  roles: ADMINISTRATORS,
  ...(bot && { userIds: [bot.ownerId] }),
});

const onlyAs = (ownerId: number): Audience => ({ userIds: [ownerId], except: { roles: ADMINISTRATORS } });

const botCreated = (event: Recorded, bot: UserRecord): ClientEventDocument =>
  botAdd.of(event, keepersOf(bot), { bot: factsOf(bot) });

/** Tells a bot's keepers about a change. For a person, there is no such event. @param change one property, as published */
export const botDiffers = (event: Recorded, user: UserRecord, change: BotChange): ClientEventDocument[] =>
  user.bot ? [botUpdate.of(event, keepersOf(user), { bot: { user_id: user._id, ...change } })] : [];

/** Tells a change of owner. Administrators get an update, the former owner a removal, and the new owner a new bot. */
function botHandedOver(event: Recorded, bot: UserRecord, from: number): ClientEventDocument[] {
  const user_id = bot._id;
  const owner_id = bot.bot?.ownerId;
  if (owner_id === undefined) return [];
  return [
    botUpdate.of(event, { roles: ADMINISTRATORS }, { bot: { user_id, owner_id } }),
    botDelete.of(event, onlyAs(from), { bot: { user_id } }),
    botAdd.of(event, onlyAs(owner_id), { bot: factsOf(bot) }),
  ];
}

/** Tells a new administrator about the bots of other owners, and a former administrator about their removal. */
async function botsWithRole(event: Recorded<UserRoleChanged>, documents: OwnDocuments): Promise<ClientEventDocument[]> {
  const { userId, from, to } = event.data;
  const isKeeper = ADMINISTRATORS.includes(to);
  if (ADMINISTRATORS.includes(from) === isKeeper) return [];
  const bots = await documents.collection<UserRecord>('users').find({ 'bot.type': { $gt: 0 } }, { sort: { _id: 1 } });
  const others = bots.filter(({ bot }) => bot?.ownerId !== userId).slice(0, MOST_BOTS);
  const audience = { userIds: [userId] };
  return others.map((bot, nth) =>
    isKeeper
      ? botAdd.of(event, audience, { bot: factsOf(bot) }, nth)
      : botDelete.of(event, audience, { bot: { user_id: bot._id } }, { nth }),
  );
}

const factsOf = ({ _id, email, fullName, bot, isActive, avatar }: UserRecord): BotFacts => ({
  _id,
  email,
  fullName,
  bot,
  isActive,
  ...(avatar && { avatar }),
});
