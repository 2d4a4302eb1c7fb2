import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { IsEmail, IsIn, IsInt, IsOptional, Length, Matches, Max, Min, ValidateBy } from 'class-validator';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../events/users/users.settings.js';
import { isEventStoreUrl, isMongodbUrl } from '../../platform/engines/engine-urls.js';
import { areProxyAddresses, isHost, isOrigin } from './addresses.js';
import { type CommandName, FromSetting, type Setting, settingsOf, wholeNumber } from './config-setting.js';
import { MetricsConfig } from './metrics-config.js';
import { LEAST_MIN_PASSWORD } from './password-config.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const THAT_ANSWER_CLIENTS: readonly CommandName[] = ['start', 'api'];
const THAT_LISTEN: readonly CommandName[] = ['start', 'api', 'projections'];
/** The public URL names the log, too. */
const THAT_HAVE_A_SITE: readonly CommandName[] = [...THAT_LISTEN, 'key', 'invite'];
const READING: readonly CommandName[] = ['status', 'log', 'audit', 'key', 'prove', 'verify'];
const OF_ONE_ORGANIZATION: readonly CommandName[] = [
  ...THAT_LISTEN,
  'rebuild',
  'grant',
  'user',
  'channel',
  'invite',
  'why',
  'backup',
  'restore',
  ...READING,
];
const EVERY_COMMAND: readonly CommandName[] = [...OF_ONE_ORGANIZATION, 'copy'];

const ON_ONE_LINE = /^\P{Cc}*\P{White_Space}\P{Cc}*$/u;

const path = (text: string): string => (text.trim() === '' ? '' : resolve(text));
const withoutTrailingSlash = (text: string): string => text.replace(/\/$/, '');

const Passes = (name: string, validate: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } });

/**
 * The settings of a process: this class is the one table that environment names, flags, help and validation come from.
 * Read once at start, frozen, handed down; nothing else reads the environment.
 */
export class Config extends MetricsConfig {
  /** Absolute path. */
  @FromSetting(
    {
      environment: 'ANNALS_DATA_DIR',
      flag: '--data-dir <folder>',
      about: 'folder of the log, the keys, the documents, uploaded files and owner.zuliprc',
      allowed: 'the path of a folder',
      default: './data',
      commands: OF_ONE_ORGANIZATION,
    },
    path,
  )
  @Matches(ON_ONE_LINE)
  readonly dataDirectory!: string;

  @FromSetting({
    environment: 'ANNALS_HOST',
    flag: '--host <address>',
    about: 'address to listen on, or a name: all its addresses; 0.0.0.0 for every network of this machine',
    allowed: 'an IP address or a host name',
    default: '127.0.0.1',
    commands: THAT_HAVE_A_SITE,
  })
  @Passes('isHost', isHost)
  readonly host!: string;

  @FromSetting(
    {
      environment: 'ANNALS_PORT',
      flag: '--port <number>',
      about: 'port to listen on; 0 takes a free one and prints it',
      allowed: 'a whole number from 0 to 65535',
      default: '9991',
      commands: THAT_HAVE_A_SITE,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(65535)
  readonly port!: number;

  /** URL without a trailing slash; null: `siteUrl` makes it from host and port. */
  @FromSetting(
    {
      environment: 'ANNALS_SITE',
      flag: '--site <url>',
      about: 'public URL, under which clients reach this server; without it, http://HOST:PORT',
      allowed: 'an http:// or https:// URL without a path, such as https://chat.example.org',
      default: null,
      commands: THAT_HAVE_A_SITE,
    },
    withoutTrailingSlash,
  )
  @IsOptional()
  @Passes('isOrigin', isOrigin)
  readonly site!: string | null;

  /** null: no proxy may name the client of a request. */
  @FromSetting({
    environment: 'ANNALS_TRUSTED_PROXIES',
    flag: '--trusted-proxies <addresses>',
    about:
      'addresses of reverse proxies whose X-Forwarded-For is trusted, so that limits count for each client and not for the proxy; without it, none is trusted',
    allowed: 'IP addresses, or networks such as 10.0.0.0/8, loopback and uniquelocal, separated by commas',
    default: null,
    commands: THAT_ANSWER_CLIENTS,
  })
  @IsOptional()
  @Passes('areProxyAddresses', areProxyAddresses)
  readonly trustedProxies!: string | null;

  @FromSetting({
    environment: 'ANNALS_ORGANIZATION',
    flag: '--organization <name>',
    about: 'name of the organization that the first start creates',
    allowed: 'a name of 1 to 100 characters on one line',
    default: 'Annals',
    commands: THAT_ANSWER_CLIENTS,
  })
  @Length(1, 100)
  @Matches(ON_ONE_LINE)
  readonly organization!: string;

  @FromSetting({
    environment: 'ANNALS_OWNER_EMAIL',
    flag: '--owner-email <address>',
    about: 'email of the owner that the first start creates',
    allowed: 'an email address',
    default: 'owner@example.com',
    commands: THAT_ANSWER_CLIENTS,
  })
  @IsEmail({ require_tld: false })
  readonly ownerEmail!: string;

  @FromSetting({
    environment: 'ANNALS_OWNER_NAME',
    flag: '--owner-name <name>',
    about: "that owner's full name",
    allowed: 'a name of 1 to 100 characters on one line',
    default: 'Owner',
    commands: THAT_ANSWER_CLIENTS,
  })
  @Length(1, 100)
  @Matches(ON_ONE_LINE)
  readonly ownerName!: string;

  @FromSetting({
    environment: 'ANNALS_OWNER_PASSWORD',
    flag: '--owner-password <password>',
    about: "that owner's password; without it, a random one is shown on a terminal, or written to owner.password",
    allowed: `${MIN_PASSWORD} to ${MAX_PASSWORD} characters long`,
    default: null,
    commands: THAT_ANSWER_CLIENTS,
    secret: true,
  })
  @IsOptional()
  @Length(LEAST_MIN_PASSWORD, MAX_PASSWORD)
  readonly ownerPassword!: string | null;

  @FromSetting({
    environment: 'ANNALS_LOG_LEVEL',
    flag: '--log-level <level>',
    about: `lowest level that is written to standard error: ${LOG_LEVELS.join(', ')}`,
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    commands: THAT_LISTEN,
  })
  @IsIn(LOG_LEVELS)
  readonly logLevel!: LogLevel;

  @FromSetting(
    {
      environment: 'ANNALS_RATE_LIMIT',
      flag: '--rate-limit <number>',
      about: 'number of requests a minute that one user may make; 0 for no limit',
      allowed: 'a whole number from 0 to 1000000',
      default: '0',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  readonly rateLimit!: number;

  @FromSetting(
    {
      environment: 'ANNALS_WAITING_COMMANDS',
      flag: '--waiting-commands <number>',
      about:
        'number of sends and other changes that may wait for their turn in one process; others are answered 503 at once',
      allowed: 'a whole number from 0 to 1000000',
      default: '8192',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  readonly waitingCommands!: number;

  @FromSetting(
    {
      environment: 'ANNALS_QUEUE_IDLE_DAYS',
      flag: '--queue-idle-days <number>',
      about: 'days without a poll after which an event queue expires',
      allowed: 'a whole number from 1 to 30 (events are kept for 30 days)',
      default: '30',
      commands: ['start', 'api', 'rebuild'],
    },
    wholeNumber,
  )
  @IsInt()
  @Min(1)
  @Max(30)
  readonly queueIdleDays!: number;

  @FromSetting(
    {
      environment: 'ANNALS_API_KEY_IDLE_DAYS',
      flag: '--api-key-idle-days <number>',
      about: "days without a use after which a person's API key ends; keys of bots never do",
      allowed: 'a whole number from 1 to 36500',
      default: '365',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(1)
  @Max(36_500)
  readonly apiKeyIdleDays!: number;

  @FromSetting(
    {
      environment: 'ANNALS_HEARTBEAT_SECONDS',
      flag: '--heartbeat-seconds <number>',
      about: 'longest time that a poll for events waits, in seconds; then it is answered with a heartbeat',
      allowed: 'a whole number from 1 to 600',
      default: '50',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(1)
  @Max(600)
  readonly heartbeatSeconds!: number;

  @FromSetting(
    {
      environment: 'ANNALS_MAX_FILE_UPLOAD_MIB',
      flag: '--max-file-upload-mib <number>',
      about: 'largest file that can be uploaded, in MiB',
      allowed: 'a whole number from 1 to 1024',
      default: '25',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(1)
  @Max(1024)
  readonly maxFileUploadMib!: number;

  /** Set together with `mongodbUrl`; both null: embedded. */
  @FromSetting({
    environment: 'EVENTSTORE_URL',
    flag: '--eventstore-url <url>',
    about: 'EventStoreDB of the log, together with --mongodb-url; without both, all data are in the data directory',
    allowed: 'an esdb:// or esdb+discover:// URL, such as esdb://localhost:2113?tls=false',
    default: null,
    commands: EVERY_COMMAND,
    secret: true,
  })
  @IsOptional()
  @Passes('isEventStoreUrl', isEventStoreUrl)
  readonly eventStoreUrl!: string | null;

  @FromSetting({
    environment: 'MONGODB_URL',
    flag: '--mongodb-url <url>',
    about:
      'MongoDB of documents and keys, together with --eventstore-url: a replica set, of one member or more; the URL names the database',
    allowed: 'a mongodb:// or mongodb+srv:// URL, such as mongodb://localhost:27017/annals?replicaSet=rs0',
    default: null,
    commands: EVERY_COMMAND,
    secret: true,
  })
  @IsOptional()
  @Passes('isMongodbUrl', isMongodbUrl)
  readonly mongodbUrl!: string | null;

  @FromSetting({
    environment: 'ANNALS_STREAM_PREFIX',
    flag: '--stream-prefix <text>',
    about: 'prefix of stream names in EventStoreDB, so that organizations can share it',
    allowed: 'at most 64 letters, digits, dots, hyphens and underscores',
    default: '',
    commands: EVERY_COMMAND,
  })
  @Matches(/^[A-Za-z0-9._-]{0,64}$/)
  readonly streamPrefix!: string;
}

export type SettingName = keyof Config & string;

export const settings: ReadonlyMap<SettingName, Setting> = settingsOf(Config);

/** Tells whether the next start has the same public URL. A port that is taken at random is no part of the log's name. */
export const isSiteSettled = ({ site, port }: Pick<Config, 'site' | 'port'>): boolean => site !== null || port !== 0;

/** Makes the URL that clients use. @param port the port that the server listens on */
export function siteUrl(config: Pick<Config, 'site' | 'host'>, port: number): string {
  if (config.site !== null) return config.site;
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}
