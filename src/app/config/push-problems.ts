import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PushConfig } from '../../features/push/push.settings.js';
import { isBoxKey } from '../../platform/push/box-key.js';
import type { GoogleAccount } from '../../platform/push/google/google-service.js';

/** Finds settings of push that do not go together, and files that cannot be used. */
export function problemsOfPush(config: PushConfig): string[] {
  const { apnsKeyFile, apnsKeyId, apnsTeamId, fcmServiceAccountFile } = config;
  const { pushBouncerUrl, pushBouncerOrgId, pushBouncerOrgKey, pushKeysFile } = config;
  const problems = [
    ...together({ ANNALS_APNS_KEY_FILE: apnsKeyFile, ANNALS_APNS_KEY_ID: apnsKeyId, ANNALS_APNS_TEAM_ID: apnsTeamId }),
    ...together({
      ANNALS_PUSH_BOUNCER_URL: pushBouncerUrl,
      ANNALS_PUSH_BOUNCER_ORG_ID: pushBouncerOrgId,
      ANNALS_PUSH_BOUNCER_ORG_KEY: pushBouncerOrgKey,
    }),
    ...problemOf('ANNALS_APNS_KEY_FILE', apnsKeyFile, appleKeyIn),
    ...problemOf('ANNALS_APNS_CA_FILE', config.apnsCaFile, textIn),
    ...problemOf('ANNALS_FCM_SERVICE_ACCOUNT_FILE', fcmServiceAccountFile, googleAccountIn),
    ...problemOf('ANNALS_PUSH_KEYS_FILE', pushKeysFile, boxKeysIn),
  ];
  if (pushBouncerUrl !== null && (apnsKeyFile !== null || fcmServiceAccountFile !== null))
    problems.push('ANNALS_PUSH_BOUNCER_URL excludes ANNALS_APNS_KEY_FILE and ANNALS_FCM_SERVICE_ACCOUNT_FILE');
  return problems;
}

/** @throws Error if the file cannot be read, or has another content */
export const textIn = (file: string): string => readFileSync(file, 'utf8');

/** Reads Apple's key, PEM. @throws Error */
export function appleKeyIn(file: string): string {
  const pem = textIn(file);
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('it is no ES256 key');
  return pem;
}

/** @throws Error */
export function googleAccountIn(file: string): GoogleAccount {
  const account = JSON.parse(textIn(file)) as Readonly<Record<string, unknown>>;
  for (const field of ['project_id', 'client_email', 'private_key', 'token_uri'])
    if (typeof account[field] !== 'string') throw new Error(`it has no ${field}`);
  createPrivateKey(String(account.private_key));
  return account as unknown as GoogleAccount;
}

/** Reads X25519 keys in standard base64. @throws Error */
export function boxKeysIn(file: string): readonly string[] {
  const keys = textIn(file).split(/\s+/).filter(Boolean);
  if (keys.length === 0 || !keys.every(isBoxKey)) throw new Error('each line must be 32 bytes in base64');
  return keys;
}

function together(settings: Readonly<Record<string, string | null>>): string[] {
  const missing = Object.entries(settings).filter(([, value]) => value === null);
  if (missing.length === 0 || missing.length === Object.keys(settings).length) return [];
  return missing.map(([name]) => `${name} must be set too: ${Object.keys(settings).join(', ')} go together`);
}

function problemOf(name: string, file: string | null, read: (file: string) => unknown): string[] {
  if (file === null) return [];
  try {
    read(file);
    return [];
  } catch (error) {
    return [`${name}: ${file} cannot be used: ${(error as Error).message}`];
  }
}
