import { createHmac } from 'node:crypto';
import type { ContentKey } from '../content-keys/content-keys.js';
import { sha256Of } from '../kernel/sha256.js';

const LABEL = 'annals link 1';
const VETO_LABEL = 'annals veto 1';
const TOKEN_BYTES = 15;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** The form of a token: 24 characters of base32, in lower case. */
export const LINK_TOKEN = /^[a-z2-7]{24}$/;

/** Derives the secret part of a link from its content key. So it is stored nowhere, and goes with the key. */
export const linkToken = (key: ContentKey): string => derived(key, LABEL);

/** Derives the secret part of a second link, which ends the first. Neither follows from the other. */
export const vetoToken = (key: ContentKey): string => derived(key, VETO_LABEL);

function derived(key: ContentKey, label: string): string {
  const bytes = createHmac('sha256', key).update(label).digest().subarray(0, TOKEN_BYTES);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

/** SHA-256, hexadecimal: the stored form of a token. A random token of 120 bits needs no slow hash. */
export const linkTokenHash = (token: string): string => sha256Of(token);
