import { randomInt } from 'node:crypto';
import { newEventId } from '../../../platform/kernel/ids.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import type { WebhookSecrets } from '../domain/bot-webhook.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const API_KEY_LENGTH = 32;

export function newApiKey(): string {
  return Array.from({ length: API_KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** SHA-256, hexadecimal: the stored form of a key. A random key of 190 bits needs no slow hash. */
export function apiKeyHash(key: string): string {
  return sha256Of(key);
}

/** A token has the form of a key. */
export const newWebhookSecrets = (): WebhookSecrets => ({ keyId: newEventId(), token: newApiKey() });
