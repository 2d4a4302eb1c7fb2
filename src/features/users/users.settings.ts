import { MAX_PASSWORD, MIN_PASSWORD } from '../../events/users/users.settings.js';
import { DAY_MS } from '../../platform/kernel/durations.js';
import { featureSettings, THAT_ANSWER_CLIENTS, wholeNumber } from '../../platform/settings/setting.js';
import { PasswordRule } from './domain/password.js';

export interface ApiKeySettings {
  /** A person's key that was not used for longer ends, milliseconds. */
  readonly idleLimit: number;
}

/** Nest token. */
export const API_KEY_SETTINGS = Symbol('ApiKeySettings');

/** Anything shorter is guessed at once. */
export const LEAST_MIN_PASSWORD = 6;

export const userSettings = featureSettings(
  {
    apiKeyIdleDays: wholeNumber({
      environment: 'ANNALS_API_KEY_IDLE_DAYS',
      about: "days without a use after which a person's API key ends; keys of bots never do",
      range: [1, 36_500],
      default: 365,
      commands: THAT_ANSWER_CLIENTS,
    }),
    passwordMinLength: wholeNumber({
      environment: 'ANNALS_PASSWORD_MIN_LENGTH',
      about: 'fewest characters of a new password; those that people have stay valid',
      range: [LEAST_MIN_PASSWORD, MAX_PASSWORD],
      default: MIN_PASSWORD,
      commands: [...THAT_ANSWER_CLIENTS, 'user'],
    }),
  },
  ({ apiKeyIdleDays, passwordMinLength }) => [
    [API_KEY_SETTINGS, { idleLimit: apiKeyIdleDays * DAY_MS } satisfies ApiKeySettings],
    [PasswordRule, new PasswordRule(passwordMinLength)],
  ],
);
