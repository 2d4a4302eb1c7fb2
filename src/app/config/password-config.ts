import { IsInt, Max, Min } from 'class-validator';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../events/users/users.settings.js';
import { AuditConfig } from './audit-config.js';
import { FromSetting, wholeNumber } from './config-setting.js';

/** Anything shorter is guessed at once. */
export const LEAST_MIN_PASSWORD = 6;

/** Which passwords people can choose. */
export class PasswordConfig extends AuditConfig {
  @FromSetting(
    {
      environment: 'ANNALS_PASSWORD_MIN_LENGTH',
      flag: '--password-min-length <number>',
      about: 'fewest characters of a new password; those that people have stay valid',
      allowed: `a whole number from ${LEAST_MIN_PASSWORD} to ${MAX_PASSWORD}`,
      default: `${MIN_PASSWORD}`,
      commands: ['start', 'api', 'user'],
    },
    wholeNumber,
  )
  @IsInt()
  @Min(LEAST_MIN_PASSWORD)
  @Max(MAX_PASSWORD)
  readonly passwordMinLength!: number;
}
