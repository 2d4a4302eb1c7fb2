import { resolve } from 'node:path';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, Matches, Max, Min, ValidateBy } from 'class-validator';
import { parseWitnesses } from '../../platform/transparency/witness.js';
import { isHttpUrl } from './addresses.js';
import { type CommandName, FromSetting, trueOrFalse, wholeNumber } from './config-setting.js';
import { PushConfig } from './push-config.js';

const THAT_SIGN: readonly CommandName[] = ['start', 'api', 'projections'];

const IsHttpUrl = (): PropertyDecorator => ValidateBy({ name: 'isHttpUrl', validator: { validate: isHttpUrl } });

const AreWitnesses = (): PropertyDecorator =>
  ValidateBy({ name: 'areWitnesses', validator: { validate: areWitnesses } });

/** `03:30` → 210. NaN is refused. */
function minutesOf(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/** The log's tree, which others can check (D15). */
export class TransparencyConfig extends PushConfig {
  /** null: the key is among the content keys. */
  @FromSetting({
    environment: 'ANNALS_SIGNING_KEY_FILE',
    flag: '--signing-key-file <file>',
    about:
      'file of the key that signs checkpoints of the log, made by the first start; without it, the key is kept with the content keys',
    allowed: 'the path of a file',
    default: null,
    commands: ['start', 'api', 'projections', 'key', 'backup'],
  })
  @IsOptional()
  @Matches(/\S/)
  readonly signingKeyFile!: string | null;

  @FromSetting(
    {
      environment: 'ANNALS_TRANSPARENCY',
      flag: '--transparency <true|false>',
      about:
        'true: checkpoints and hashes of the log are published under /transparency, without a login; false: they are not',
      allowed: 'true or false',
      default: 'true',
      commands: ['start', 'api'],
    },
    trueOrFalse,
  )
  @IsIn([true, false])
  readonly transparency!: boolean;

  /** Minutes after midnight, UTC; null: never. */
  @FromSetting(
    {
      environment: 'ANNALS_VERIFY_AT',
      flag: '--verify-at <time>',
      about:
        'time of day, UTC, at which the log and its files are verified every day; without it, only annals verify does that',
      allowed: 'a time such as 03:30',
      default: null,
      commands: ['start', 'projections'],
    },
    minutesOf,
  )
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(24 * 60 - 1)
  readonly verifyAt!: number | null;

  /** Absolute path; null: in the data directory. */
  @FromSetting(
    {
      environment: 'ANNALS_CHECKPOINTS_FILE',
      flag: '--checkpoints-file <file>',
      about:
        'file that signed checkpoints are appended to, best on a disk apart from log and backups; without it, checkpoints in the data directory',
      allowed: 'the path of a file',
      default: null,
      commands: [...THAT_SIGN, 'verify'],
    },
    (text) => (text.trim() === '' ? '' : resolve(text)),
  )
  @IsOptional()
  @Matches(/\S/)
  readonly checkpointsFile!: string | null;

  @FromSetting(
    {
      environment: 'ANNALS_CHECKPOINT_SECONDS',
      flag: '--checkpoint-seconds <seconds>',
      about:
        'seconds from one noted checkpoint to the next, if the log has grown: what file, webhook and witnesses get',
      allowed: 'a whole number from 1 to 86400',
      default: '60',
      commands: THAT_SIGN,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  readonly checkpointSeconds!: number;

  @FromSetting({
    environment: 'ANNALS_CHECKPOINT_WEBHOOK_URL',
    flag: '--checkpoint-webhook-url <url>',
    about: 'URL that signed checkpoints are posted to, as text',
    allowed: 'an http:// or https:// URL',
    default: null,
    commands: THAT_SIGN,
    secret: true,
  })
  @IsOptional()
  @IsHttpUrl()
  readonly checkpointWebhookUrl!: string | null;

  /** Root of a signed checkpoint, base64; null: a log that contradicts a signed checkpoint is refused. */
  @FromSetting({
    environment: 'ANNALS_ACCEPT_RESTORED_LOG',
    flag: '--accept-restored-log <root>',
    about:
      'root of the signed checkpoint that a restored log may contradict, as the refused start names it: the log records that, and goes on under another name',
    allowed: 'the root of a checkpoint: 44 characters of base64',
    default: null,
    commands: THAT_SIGN,
  })
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=$/)
  readonly acceptRestoredLog!: string | null;

  /** Id of an event; null: keys that are older than the log are refused. */
  @FromSetting({
    environment: 'ANNALS_ACCEPT_MISSING_KEYS',
    flag: '--accept-missing-keys <event>',
    about:
      'id of the newest event whose key is missing and given up, as the refused start names it: the log records that',
    allowed: 'the id of an event: a UUID in lower case',
    default: null,
    commands: THAT_SIGN,
  })
  @IsOptional()
  @Matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  readonly acceptMissingKeys!: string | null;

  /** Places of events, as STREAM@REVISION; null: none. */
  @FromSetting(
    {
      environment: 'ANNALS_SKIP',
      flag: '--skip <events>',
      about:
        'events that cannot be read and are to be passed over, as the refused start names them, with commas between them: the log records each',
      allowed: 'up to 100 events, each as STREAM@REVISION',
      default: null,
      commands: [...THAT_SIGN, 'rebuild'],
    },
    (text) => text.split(',').filter((place) => place !== ''),
  )
  @IsOptional()
  @ArrayMaxSize(100)
  @Matches(/^[^@\s]+@(0|[1-9]\d{0,14})$/, { each: true })
  readonly skip!: readonly string[] | null;

  @FromSetting({
    environment: 'ANNALS_WITNESSES',
    flag: '--witnesses <list>',
    about: 'witnesses that cosign checkpoints: each as its verifier key, a space and its URL, with commas between them',
    allowed: 'up to 15 witnesses with names of their own, each as name+id+key and an http:// or https:// URL',
    default: null,
    commands: THAT_SIGN,
  })
  @IsOptional()
  @AreWitnesses()
  readonly witnesses!: string | null;
}

function areWitnesses(value: unknown): boolean {
  try {
    return typeof value === 'string' && parseWitnesses(value).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
