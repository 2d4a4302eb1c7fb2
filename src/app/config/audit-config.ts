import { IsInt, Max, Min } from 'class-validator';
import { FromSetting, wholeNumber } from './config-setting.js';
import { TransparencyConfig } from './transparency-config.js';

/** What the log keeps about requests. */
export class AuditConfig extends TransparencyConfig {
  @FromSetting(
    {
      environment: 'ANNALS_ADDRESS_DAYS',
      flag: '--address-days <number>',
      about:
        'days for which the addresses of requests are kept with the events, after the end of their month; 0 keeps none',
      allowed: 'a whole number from 0 to 36500',
      default: '365',
      commands: ['start', 'api'],
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(36_500)
  readonly addressDays!: number;

  @FromSetting(
    {
      environment: 'ANNALS_ACCESS_DAYS',
      flag: '--access-days <number>',
      about:
        'days for which the words of recorded logins, refusals and other accesses are kept, after the end of their month; 0 records none',
      allowed: 'a whole number from 0 to 36500',
      default: '365',
      commands: [
        'start',
        'api',
        'rebuild',
        'grant',
        'user',
        'channel',
        'invite',
        'why',
        'log',
        'audit',
        'prove',
        'backup',
      ],
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(36_500)
  readonly accessDays!: number;
}
