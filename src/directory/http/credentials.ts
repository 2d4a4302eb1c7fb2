import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../platform/http/edge-state.js';
import { parametersOf } from '../../platform/http/parameters/parameters.decorator.js';
import { isOfThisSite } from '../../platform/http/same-site.js';
import { sessionKeyIn } from '../../platform/http/session-cookie.js';
import { refuse } from '../../platform/kernel/deciding.js';
import { foldCase } from '../../platform/kernel/text.js';
import type { Directory } from '../directory.js';
import type { UserRecord } from '../directory.records.js';

const KEY_LENGTH = 32;
const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

export interface Authenticated {
  readonly user: UserRecord;
  /** SHA-256 of the API key, hexadecimal. */
  readonly keyHash: string;
}

/**
 * The account that `Authorization: Basic base64(email:api_key)` stands for.
 *
 * Response times reveal nothing about a key. The look-up is by the key's SHA-256: a guess's partial match with a stored
 * hash says nothing about the next guess, and every well-formed guess costs one hash. A deactivated account is named
 * only to who has its key.
 * @throws DomainError UNAUTHORIZED, OTHER_SCHEME, MALFORMED_API_KEY, INVALID_API_KEY, USER_DEACTIVATED
 */
export function authenticate(directory: Directory, authorization: string): Authenticated {
  const { email, key } = credentialsOf(authorization);
  return withKey(directory, key, foldCase(email));
}

/**
 * The account of the session in a page of this server, for a request without `Authorization`. The session is an API key,
 * so it outlives a change of the address, and ends with the key. From a page of another site, the cookie counts as absent.
 * @param site gives the server's public URL
 * @throws DomainError UNAUTHORIZED, SESSION_ENDED
 */
export function authenticateBySession(
  directory: Directory,
  request: FastifyRequest,
  site: () => string,
): Authenticated {
  const key = sessionKeyIn(request.headers.cookie);
  if (key === null || !isOfThisSite(request, site)) refuse('UNAUTHORIZED');
  const keyHash = hash('sha256', key);
  return { user: ownerOfSession(directory, keyHash), keyHash };
}

/** @throws DomainError REQUEST_VARIABLE_MISSING, MALFORMED_API_KEY, INVALID_API_KEY, USER_DEACTIVATED */
export function authenticateByQuery(directory: Directory, request: FastifyRequest): Authenticated {
  const key = parametersOf(request).get('api_key');
  return withKey(directory, key ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'api_key' }));
}

/** @param emailKey the account's; undefined: the key alone says whose it is */
function withKey(directory: Directory, key: string, emailKey?: string): Authenticated {
  if (key.length !== KEY_LENGTH) refuse('MALFORMED_API_KEY');
  const keyHash = hash('sha256', key);
  return { user: activeOwnerOf(directory, keyHash, emailKey), keyHash };
}

function activeOwnerOf(directory: Directory, keyHash: string, emailKey?: string): UserRecord {
  const user = directory.userByKeyHash(keyHash);
  if (!user || user.emailKey !== (emailKey ?? user.emailKey)) refuse('INVALID_API_KEY');
  if (!user.isActive) refuse('USER_DEACTIVATED');
  return user;
}

function ownerOfSession(directory: Directory, keyHash: string): UserRecord {
  const user = directory.userByKeyHash(keyHash);
  return user?.isActive ? user : refuse('SESSION_ENDED');
}

/**
 * Authenticates again if the account or its keys have changed since the request came.
 * @throws DomainError as it did the first time
 */
export function authenticateAgain(directory: Directory, request: FastifyRequest): void {
  const { user, keyHash, isSession } = request[edge];
  if (!user || keyHash === null || directory.user(user._id) === user) return;
  request[edge].user = isSession
    ? ownerOfSession(directory, keyHash)
    : activeOwnerOf(directory, keyHash, user.emailKey);
}

/** The account that credentials name, whether or not there is one; null without credentials. */
export function accountNamedIn(authorization: string | undefined): string | null {
  return parsed(authorization)?.email ?? null;
}

const credentialsOf = (authorization: string): { email: string; key: string } =>
  parsed(authorization) ?? refuse(authorization ? 'OTHER_SCHEME' : 'UNAUTHORIZED');

function parsed(authorization: string | undefined): { email: string; key: string } | null {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { email: text.slice(0, colon), key: text.slice(colon + 1) };
}
