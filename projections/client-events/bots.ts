import type { UserRecord } from '../../src/directory/directory.records.js';
import type { Recorded } from '../../src/kernel/event.js';
import { ROLES, type Role } from '../../src/kernel/role.js';
import type { UserRoleChanged } from '../../src/users/domain/users.events.js';
import type { Audience, BotFacts, ClientEventDocument } from '../client-events.documents.js';
import type { OwnDocuments } from '../projection.js';
import { entry, told } from './entries.js';

const ADMINISTRATORS: readonly Role[] = [ROLES.owner, ROLES.administrator];
/** Room for ids under one event. Whom a role makes keeper of more bots learns of the rest when registering. */
const MOST_BOTS = 700;

/** Administrators keep every bot, whoever else has one keeps that. */
const keepersOf = ({ bot }: Pick<UserRecord, 'bot'>): Audience => ({
  roles: ADMINISTRATORS,
  ...(bot && { userIds: [bot.ownerId] }),
});

const onlyAs = (ownerId: number): Audience => ({ userIds: [ownerId], except: { roles: ADMINISTRATORS } });

export const botCreated = (event: Recorded, bot: UserRecord): ClientEventDocument =>
  entry(event, 'realm_bot/add', keepersOf(bot), { bot: factsOf(bot) });

/** Nothing where the account is a person's. @param change one property, as published */
export const botDiffers = (event: Recorded, user: UserRecord, change: object): ClientEventDocument[] =>
  user.bot ? [told(event, 'realm_bot/update', keepersOf(user), { bot: { user_id: user._id, ...change } })] : [];

/** Owners that are no administrators lose it, or see it for the first time. */
export function botHandedOver(event: Recorded, bot: UserRecord, from: number): ClientEventDocument[] {
  const user_id = bot._id;
  const owner_id = bot.bot?.ownerId;
  if (owner_id === undefined) return [];
  return [
    told(event, 'realm_bot/update', { roles: ADMINISTRATORS }, { bot: { user_id, owner_id } }),
    told(event, 'realm_bot/delete', onlyAs(from), { bot: { user_id } }),
    entry(event, 'realm_bot/add', onlyAs(owner_id), { bot: factsOf(bot) }),
  ];
}

/** The bots of others, which come into an administrator's sight, and go out of it. */
export async function botsWithRole(
  event: Recorded<UserRoleChanged>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const { userId, from, to } = event.data;
  const isKeeper = ADMINISTRATORS.includes(to);
  if (ADMINISTRATORS.includes(from) === isKeeper) return [];
  const bots = await documents.collection<UserRecord>('users').find({ 'bot.type': { $gt: 0 } }, { sort: { _id: 1 } });
  const others = bots.filter(({ bot }) => bot?.ownerId !== userId).slice(0, MOST_BOTS);
  const audience = { userIds: [userId] };
  return others.map((bot, nth) =>
    isKeeper
      ? entry(event, 'realm_bot/add', audience, { bot: factsOf(bot) }, { nth })
      : told(event, 'realm_bot/delete', audience, { bot: { user_id: bot._id } }, { nth }),
  );
}

const factsOf = ({ _id, email, fullName, bot, isActive }: UserRecord): BotFacts => ({
  _id,
  email,
  fullName,
  bot,
  isActive,
});
