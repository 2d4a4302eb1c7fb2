import { expect, it } from '@jest/globals';
import { keyAddresses } from '../../../projections/key-addresses/key-addresses.projection.js';
import { apiKeyId } from '../../../src/events/users/users.events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const idOf = (key: string): string => apiKeyId(key);
const used = (userId: number, key: string): InHistory => [
  'accesses',
  {
    type: 'KeyUsedElsewhere',
    data: { userId, account: 'person', apiKeyId: idOf(key), isFirst: false, count: 1, firstAt: 1, lastAt: 1 },
  },
];
const ended = (userId: number, ...keyHashes: string[]): InHistory => [
  'users',
  { type: 'ApiKeysEnded', data: { userId, keyHashes } },
];
const accounts = async (...entries: readonly InHistory[]) =>
  (await projected(keyAddresses, history(...entries))).accounts;
const at = (key: string, position: number, revision = position - 1) => ({
  apiKeyId: idOf(key),
  ...{ position, revision, stream: 'accesses', at: 1_700_000_000_000 + position * 1000 },
});

it('an account has the places of the events of each of its keys', async () =>
  expect(await accounts(used(1, 'a'), used(2, 'c'), used(1, 'b'), used(1, 'a'))).toEqual([
    { _id: 1, addresses: [at('a', 1), at('b', 3), at('a', 4)], position: 4 },
    { _id: 2, addresses: [at('c', 2)], position: 2 },
  ]));

it('keys that end are forgotten', async () => {
  expect(await accounts(used(1, 'a'), used(1, 'b'), used(1, 'c'), ended(1, 'a', 'c'), ended(3, 'z'))).toEqual([
    { _id: 1, addresses: [at('b', 2)], position: 4 },
  ]);
  const regenerated: InHistory = ['users', { type: 'ApiKeysRegenerated', data: { userId: 1, keyHash: 'n' } }];
  expect(await accounts(used(1, 'a'), regenerated)).toEqual([{ _id: 1, addresses: [], position: 2 }]);
});

it('the newest 50 of a key and the newest 500 of an account are on record', async () => {
  const many = Array.from({ length: 60 }, () => used(1, 'a'));
  const [one] = (await accounts(used(1, 'home'), ...many)) ?? [];
  const addresses = Array.from({ length: 50 }, (_, n) => at('a', n + 12));
  expect(one).toEqual({ _id: 1, addresses: [at('home', 1), ...addresses], position: 61 });
  const keys = Array.from({ length: 510 }, (_, n) => used(1, `key ${n}`));
  const [all] = (await accounts(...keys)) ?? [];
  expect(all).toEqual({
    _id: 1,
    addresses: Array.from({ length: 500 }, (_, n) => at(`key ${n + 10}`, n + 11)),
    position: 510,
  });
});
