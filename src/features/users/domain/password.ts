import { MAX_PASSWORD, MIN_PASSWORD } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** Says which passwords an account can get. Passwords that were chosen under another rule stay valid. */
export class PasswordRule {
  /** @param least the fewest characters */
  constructor(readonly least = MIN_PASSWORD) {}

  /** The reason why no account can get the password; null if one can. */
  fault(password: string): 'PASSWORD_TOO_WEAK' | 'PASSWORD_TOO_LONG' | null {
    const { length } = [...password];
    if (length < this.least) return 'PASSWORD_TOO_WEAK';
    return length > MAX_PASSWORD ? 'PASSWORD_TOO_LONG' : null;
  }

  /** Refuses a password that no account can get. */
  require(password: string): void {
    const fault = this.fault(password);
    if (fault !== null) refuse(fault, { limit: MAX_PASSWORD, least: this.least });
  }
}
