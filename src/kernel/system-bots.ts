import { fold } from './fold.js';

/**
 * Accounts that are the server's own, the same in every organisation and, like the system groups, without events: so
 * they are there in every log. Nobody can log in as one. Their ids are above all that the log gives out, and their
 * addresses in a domain that nobody can have.
 */
export interface SystemBot {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

export const NOTIFICATION_BOT: SystemBot = {
  id: 2_147_483_001,
  email: 'notification-bot@annals.invalid',
  fullName: 'Notification Bot',
};

export const SYSTEM_BOTS: readonly SystemBot[] = [NOTIFICATION_BOT];

/** Without regard to case. */
export const systemBotByEmail = (email: string): SystemBot | undefined =>
  SYSTEM_BOTS.find((bot) => bot.email === fold(email));
