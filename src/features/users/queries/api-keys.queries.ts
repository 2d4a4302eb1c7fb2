import type { UserRecord } from '../../../directory/directory.records.js';
import { KeyUses } from '../../../directory/key-uses.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';

/** An API key of an account, as `GET /users/me/api_keys` lists it. */
interface ApiKeyForClients {
  readonly id: string;
  /** Name of the client program that logged in. */
  readonly client: string;
  /** Unix seconds. */
  readonly created_at: number;
  /** Unix seconds, exact to the hour; null: never, or not on record. */
  readonly last_used_at: number | null;
  /** Whether this request used the key. */
  readonly is_current: boolean;
}

/** Keys in the order in which they were issued. */
export class GetApiKeys extends Query<
  {
    owner: UserRecord;
    /** SHA-256 of the key that the request used, hexadecimal; null: it used none. */
    currentHash: string | null;
  },
  readonly ApiKeyForClients[]
> {}

export const apiKeyQueries = [
  answersFrom(GetApiKeys, KeyUses, async ({ owner: { apiKeys }, currentHash }, uses) => {
    const lastUses = await uses.lastUses(apiKeys.map((key) => key.hash));
    return apiKeys.map((key) => {
      const usedAt = lastUses.get(key.hash);
      return {
        id: apiKeyId(key.hash),
        client: key.client,
        created_at: Math.floor(key.issuedAt / 1000),
        last_used_at: usedAt === undefined ? null : Math.floor(usedAt / 1000),
        is_current: key.hash === currentHash,
      };
    });
  }),
];
