import { ROLES } from '../events/shared/role.js';
import { SYSTEM_BOTS, type SystemBot, systemBotByEmail } from '../events/shared/system-bots.js';
import { START } from '../platform/kernel/position.js';
import type { Directory } from './directory.js';
import type { UserRecord } from './directory.records.js';

const GENERIC_BOT = 1;
const NOBODY = 0;

/** The account of that id: from the log, or one of the server's own. */
export function accountOf(id: number, directory: Directory): UserRecord | undefined {
  const own = directory.user(id);
  if (own) return own;
  const bot = SYSTEM_BOTS.find((one) => one.id === id);
  return bot && recordOf(bot, directory);
}

/** The account of that address: from the log, or one of the server's own. */
export function accountByEmail(email: string, directory: Directory): UserRecord | undefined {
  const own = directory.userByEmail(email);
  if (own) return own;
  const bot = systemBotByEmail(email);
  return bot && recordOf(bot, directory);
}

/** The server's own accounts. */
export const systemBots = (directory: Directory): readonly UserRecord[] =>
  SYSTEM_BOTS.map((bot) => recordOf(bot, directory));

export const isSystemBot = ({ _id }: UserRecord): boolean => SYSTEM_BOTS.some(({ id }) => id === _id);

/** The bot as an account that is as old as the organization. */
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
    apiKeys: [],
    specialPermissions: [],
    profile: {},
    position: START,
  };
}
