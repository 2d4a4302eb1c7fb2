import { IsIn, IsOptional, IsUUID, Length, Matches, ValidateBy } from 'class-validator';
import { isOrigin } from './addresses.js';
import { type CommandName, FromSetting, trueOrFalse } from './config-setting.js';
import { OutgoingConfig } from './outgoing-config.js';

const THAT_PUSH: readonly CommandName[] = ['start', 'api', 'projections'];

const APPLE_ID = /^[A-Z0-9]{10}$/;

const IsOrigin = (): PropertyDecorator => ValidateBy({ name: 'isOrigin', validator: { validate: isOrigin } });

const withoutTrailingSlash = (text: string): string => text.replace(/\/$/, '');

/** Settings of push notifications to mobile devices. Without any of them, nothing is pushed. */
export class PushConfig extends OutgoingConfig {
  /** Set together with the ids of the key and the team. */
  @FromSetting({
    environment: 'ANNALS_APNS_KEY_FILE',
    flag: '--apns-key-file <file>',
    about: "file of Apple's key for push notifications (.p8), together with its id and the team's",
    allowed: 'the path of a file',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @Matches(/\S/)
  readonly apnsKeyFile!: string | null;

  @FromSetting({
    environment: 'ANNALS_APNS_KEY_ID',
    flag: '--apns-key-id <id>',
    about: 'id of the key of --apns-key-file',
    allowed: '10 capital letters and digits',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @Matches(APPLE_ID)
  readonly apnsKeyId!: string | null;

  @FromSetting({
    environment: 'ANNALS_APNS_TEAM_ID',
    flag: '--apns-team-id <id>',
    about: 'id of the team at Apple that owns the key',
    allowed: '10 capital letters and digits',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @Matches(APPLE_ID)
  readonly apnsTeamId!: string | null;

  @FromSetting(
    {
      environment: 'ANNALS_APNS_SANDBOX',
      flag: '--apns-sandbox <true|false>',
      about: "true: Apple's service for development builds of an app",
      allowed: 'true or false',
      default: 'false',
      commands: THAT_PUSH,
    },
    trueOrFalse,
  )
  @IsIn([true, false])
  readonly apnsSandbox!: boolean;

  /** null: Apple's. */
  @FromSetting(
    {
      environment: 'ANNALS_APNS_URL',
      flag: '--apns-url <url>',
      about: "service to use instead of Apple's, for tests",
      allowed: 'an https:// URL without a path',
      default: null,
      commands: THAT_PUSH,
    },
    withoutTrailingSlash,
  )
  @IsOptional()
  @IsOrigin()
  @Matches(/^https:/)
  readonly apnsUrl!: string | null;

  @FromSetting({
    environment: 'ANNALS_APNS_CA_FILE',
    flag: '--apns-ca-file <file>',
    about: 'file of an authority (PEM) that signs the certificate of --apns-url',
    allowed: 'the path of a file',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @Matches(/\S/)
  readonly apnsCaFile!: string | null;

  @FromSetting({
    environment: 'ANNALS_FCM_SERVICE_ACCOUNT_FILE',
    flag: '--fcm-service-account-file <file>',
    about: "file of Google's service account (JSON) that may send push notifications",
    allowed: 'the path of a file',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @Matches(/\S/)
  readonly fcmServiceAccountFile!: string | null;

  @FromSetting(
    {
      environment: 'ANNALS_FCM_URL',
      flag: '--fcm-url <url>',
      about: "service to use instead of Google's, for tests",
      allowed: 'an http:// or https:// URL without a path',
      default: 'https://fcm.googleapis.com',
      commands: THAT_PUSH,
    },
    withoutTrailingSlash,
  )
  @IsOrigin()
  readonly fcmUrl!: string;

  @FromSetting({
    environment: 'ANNALS_PUSH_KEYS_FILE',
    flag: '--push-keys-file <file>',
    about:
      'file of private X25519 keys, one a line in base64, the newest first: devices encrypt their registration under them',
    allowed: 'the path of a file',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @Matches(/\S/)
  readonly pushKeysFile!: string | null;

  /** Set together with the id and the key. */
  @FromSetting(
    {
      environment: 'ANNALS_PUSH_BOUNCER_URL',
      flag: '--push-bouncer-url <url>',
      about: "bouncer that sends push notifications, instead of Apple's and Google's credentials",
      allowed: 'an http:// or https:// URL without a path, such as https://push.example.org',
      default: null,
      commands: THAT_PUSH,
    },
    withoutTrailingSlash,
  )
  @IsOptional()
  @IsOrigin()
  readonly pushBouncerUrl!: string | null;

  @FromSetting({
    environment: 'ANNALS_PUSH_BOUNCER_ORG_ID',
    flag: '--push-bouncer-org-id <id>',
    about: "the organization's id at the bouncer",
    allowed: 'a UUID',
    default: null,
    commands: THAT_PUSH,
  })
  @IsOptional()
  @IsUUID()
  readonly pushBouncerOrgId!: string | null;

  @FromSetting({
    environment: 'ANNALS_PUSH_BOUNCER_ORG_KEY',
    flag: '--push-bouncer-org-key <key>',
    about: "the organization's key at the bouncer",
    allowed: '64 characters long',
    default: null,
    commands: THAT_PUSH,
    secret: true,
  })
  @IsOptional()
  @Length(64, 64)
  readonly pushBouncerOrgKey!: string | null;
}
