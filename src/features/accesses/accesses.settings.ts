import { DAY_MS } from '../../platform/kernel/durations.js';
import { featureSettings, THAT_ANSWER_CLIENTS, wholeNumber } from '../../platform/settings/setting.js';

export interface AccessSettings {
  /** Whether logins, refusals and other accesses become events. */
  readonly areRecorded: boolean;
  /** Milliseconds for which addresses are kept after the end of their month; 0: there are none. */
  readonly addressesKeptFor: number;
}

/** Nest token. */
export const ACCESS_SETTINGS = Symbol('AccessSettings');

export const accessSettings = featureSettings(
  {
    addressDays: wholeNumber({
      environment: 'ANNALS_ADDRESS_DAYS',
      about:
        'days for which the addresses of requests are kept with the events, after the end of their month; 0 keeps none',
      range: [0, 36_500],
      default: 365,
      commands: THAT_ANSWER_CLIENTS,
    }),
    accessDays: wholeNumber({
      environment: 'ANNALS_ACCESS_DAYS',
      about:
        'days for which the words of recorded logins, refusals and other accesses are kept, after the end of their month; 0 records none',
      range: [0, 36_500],
      default: 365,
      commands: [
        ...THAT_ANSWER_CLIENTS,
        ...(['rebuild', 'grant', 'user', 'channel', 'invite', 'why', 'log', 'audit', 'prove', 'backup'] as const),
      ],
    }),
  },
  ({ accessDays, addressDays }) => [
    [ACCESS_SETTINGS, { areRecorded: accessDays > 0, addressesKeptFor: addressDays * DAY_MS } satisfies AccessSettings],
  ],
);
