import { isUUID, length } from 'class-validator';
import { originIn } from '../../platform/settings/addresses.js';
import {
  type ConfigOf,
  featureSettings,
  file,
  origin,
  setting,
  THAT_LISTEN,
  text,
  trueOrFalse,
} from '../../platform/settings/setting.js';

const isAppleId = (id: string): boolean => /^[A-Z0-9]{10}$/.test(id);

/** Settings of push notifications to mobile devices. Without any of them, nothing is pushed. */
export const pushSettings = featureSettings({
  /** Set together with the ids of the key and the team. */
  apnsKeyFile: file({
    environment: 'ANNALS_APNS_KEY_FILE',
    about: "file of Apple's key for push notifications (.p8), together with its id and the team's",
    commands: THAT_LISTEN,
  }),
  apnsKeyId: text({
    environment: 'ANNALS_APNS_KEY_ID',
    takes: 'id',
    about: 'id of the key of --apns-key-file',
    allowed: '10 capital letters and digits',
    default: null,
    commands: THAT_LISTEN,
    isValid: isAppleId,
  }),
  apnsTeamId: text({
    environment: 'ANNALS_APNS_TEAM_ID',
    takes: 'id',
    about: 'id of the team at Apple that owns the key',
    allowed: '10 capital letters and digits',
    default: null,
    commands: THAT_LISTEN,
    isValid: isAppleId,
  }),
  apnsSandbox: trueOrFalse({
    environment: 'ANNALS_APNS_SANDBOX',
    about: "true: Apple's service for development builds of an app",
    default: false,
    commands: THAT_LISTEN,
  }),
  /** null: Apple's. */
  apnsUrl: setting({
    environment: 'ANNALS_APNS_URL',
    takes: 'url',
    about: "service to use instead of Apple's, for tests",
    allowed: 'an https:// URL without a path',
    default: null,
    commands: THAT_LISTEN,
    read: (url) => (url.startsWith('https:') ? originIn(url) : undefined),
  }),
  apnsCaFile: file({
    environment: 'ANNALS_APNS_CA_FILE',
    about: 'file of an authority (PEM) that signs the certificate of --apns-url',
    commands: THAT_LISTEN,
  }),
  fcmServiceAccountFile: file({
    environment: 'ANNALS_FCM_SERVICE_ACCOUNT_FILE',
    about: "file of Google's service account (JSON) that may send push notifications",
    commands: THAT_LISTEN,
  }),
  fcmUrl: origin({
    environment: 'ANNALS_FCM_URL',
    about: "service to use instead of Google's, for tests",
    allowed: 'an http:// or https:// URL without a path',
    default: 'https://fcm.googleapis.com',
    commands: THAT_LISTEN,
  }),
  pushKeysFile: file({
    environment: 'ANNALS_PUSH_KEYS_FILE',
    about:
      'file of private X25519 keys, one a line in base64, the newest first: devices encrypt their registration under them',
    commands: THAT_LISTEN,
  }),
  /** Set together with the id and the key. */
  pushBouncerUrl: origin({
    environment: 'ANNALS_PUSH_BOUNCER_URL',
    about: "bouncer that sends push notifications, instead of Apple's and Google's credentials",
    allowed: 'an http:// or https:// URL without a path, such as https://push.example.org',
    default: null,
    commands: THAT_LISTEN,
  }),
  pushBouncerOrgId: text({
    environment: 'ANNALS_PUSH_BOUNCER_ORG_ID',
    takes: 'id',
    about: "the organization's id at the bouncer",
    allowed: 'a UUID',
    default: null,
    commands: THAT_LISTEN,
    isValid: (id) => isUUID(id),
  }),
  pushBouncerOrgKey: text({
    environment: 'ANNALS_PUSH_BOUNCER_ORG_KEY',
    takes: 'key',
    about: "the organization's key at the bouncer",
    allowed: '64 characters long',
    default: null,
    commands: THAT_LISTEN,
    secret: true,
    isValid: (key) => length(key, 64, 64),
  }),
});

export type PushConfig = ConfigOf<typeof pushSettings.rows>;
