import { MAX_PASSWORD, MIN_PASSWORD } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** The reason why no account can get the password; null if one can. */
export function passwordFault(password: string): 'PASSWORD_TOO_WEAK' | 'PASSWORD_TOO_LONG' | null {
  const { length } = [...password];
  if (length < MIN_PASSWORD) return 'PASSWORD_TOO_WEAK';
  return length > MAX_PASSWORD ? 'PASSWORD_TOO_LONG' : null;
}

/** Refuses a password that no account can get. */
export function requirePassword(password: string): void {
  const fault = passwordFault(password);
  if (fault !== null) refuse(fault, { limit: MAX_PASSWORD });
}
