import { foldCase } from '../../platform/kernel/text.js';

/**
 * An account of the server's own, the same in every organization. Like a system group, it has no events, so it exists
 * with every log. Nobody can log in to it. Its id is above all ids that the log gives out, and its address is in a
 * domain that nobody can own.
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

/** Greets new people. */
export const WELCOME_BOT: SystemBot = {
  id: 2_147_483_002,
  email: 'welcome-bot@annals.invalid',
  fullName: 'Welcome Bot',
};

export const SYSTEM_BOTS: readonly SystemBot[] = [NOTIFICATION_BOT, WELCOME_BOT];

/** Ignores case. */
export const systemBotByEmail = (email: string): SystemBot | undefined =>
  SYSTEM_BOTS.find((bot) => bot.email === foldCase(email));
