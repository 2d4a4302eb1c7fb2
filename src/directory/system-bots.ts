import { START } from '../kernel/position.js';
import { ROLES } from '../kernel/role.js';
import { SYSTEM_BOTS, type SystemBot, systemBotByEmail } from '../kernel/system-bots.js';
import type { Directory } from './directory.js';
import type { UserRecord } from './directory.records.js';
import { type UserForClients, type UserRecordOptions, userForClients } from './records-for-clients.js';

const GENERIC_BOT = 1;
const NOBODY = 0;

/** An account that messages name: one of the log's, or one of the server's own. */
export function accountOf(id: number, directory: Directory): UserRecord | undefined {
  const own = directory.user(id);
  if (own) return own;
  const bot = SYSTEM_BOTS.find((one) => one.id === id);
  return bot && recordOf(bot, directory);
}

/** The same by address. */
export function accountByEmail(email: string, directory: Directory): UserRecord | undefined {
  const own = directory.userByEmail(email);
  if (own) return own;
  const bot = systemBotByEmail(email);
  return bot && recordOf(bot, directory);
}

/** What clients know of an account, whether people have made it or not. */
export function accountForClients(user: UserRecord, options: UserRecordOptions): UserForClients {
  const told = userForClients(user, options);
  return isSystemBot(user) ? { ...told, bot_owner_id: null } : told;
}

/** `cross_realm_bots`. */
export const systemBotsForClients = (directory: Directory, clientGravatar: boolean): readonly object[] =>
  SYSTEM_BOTS.map((bot) => ({
    ...accountForClients(recordOf(bot, directory), { clientGravatar, customProfileFields: false }),
    is_system_bot: true,
  }));

const isSystemBot = ({ _id }: UserRecord): boolean => SYSTEM_BOTS.some(({ id }) => id === _id);

/** As old as the organisation. */
function recordOf({ id, email, fullName }: SystemBot, { organization }: Directory): UserRecord {
  const always = { from: START, to: null };
  return {
    _id: id,
    email,
    emailKey: email,
    fullName,
    role: ROLES.member,
    roleIntervals: [{ role: ROLES.member, ...always }],
    bot: { type: GENERIC_BOT, ownerId: NOBODY },
    isActive: true,
    activeIntervals: [always],
    createdAt: organization?.createdAt ?? 0,
    passwordHash: null,
    keyHashes: [],
    specialPermissions: [],
    profile: {},
    position: START,
  };
}
