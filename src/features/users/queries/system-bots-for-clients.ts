import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { isSystemBot, systemBots } from '../../../directory/system-bots.js';
import { type UserForClients, type UserRecordOptions, userForClients } from './users-for-clients.js';

/** An account as clients get it, system bots included. */
export function accountForClients(user: UserRecord, options: UserRecordOptions): UserForClients {
  const told = userForClients(user, options);
  return isSystemBot(user) ? { ...told, bot_owner_id: null } : told;
}

/** `cross_realm_bots`. */
export const systemBotsForClients = (directory: Directory, clientGravatar: boolean): readonly object[] =>
  systemBots(directory).map((bot) => ({
    ...accountForClients(bot, { clientGravatar, customProfileFields: false }),
    is_system_bot: true,
  }));
