import { describe, expect, it } from '@jest/globals';
import type { BotStorageEntry, BotStorageEvent } from '../../../src/events/bot-storage/bot-storage.events.js';
import {
  botStorage,
  decideRemoveEntries,
  decideStoreEntries,
  LONGEST_NAME,
  MOST_ENTRIES,
  RemoveEntries,
  StoreEntries,
} from '../../../src/features/bot-storage/domain/bot-storage.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const entry = (name: string, value = 'v'): BotStorageEntry => ({ name, value });
const added = (keyId: string, what: BotStorageEntry | null): BotStorageEvent => ({
  type: 'BotStorageEntryAdded',
  data: { userId: 1, keyId, entry: what },
});
const replaced = (previousKeyId: string, keyId: string, what: BotStorageEntry | null): BotStorageEvent => ({
  type: 'BotStorageEntryReplaced',
  data: { userId: 1, keyId, previousKeyId, entry: what },
});
const removed = (keyId: string): BotStorageEvent => ({ type: 'BotStorageEntryRemoved', data: { userId: 1, keyId } });

describe('storing entries', () => {
  const when = (entries: readonly BotStorageEntry[], history: readonly BotStorageEvent[] = []) =>
    given(botStorage, history).when(decideStoreEntries, new StoreEntries({ userId: 1, entries, by }), {
      keyId: (index) => `new ${index}`,
    });

  it('adds new names, replaces values, and passes over values that are stored already', () =>
    when(
      [entry('same'), entry('count', '2'), entry('', '')],
      [added('k1', entry('same')), added('k2', entry('count', '1'))],
    ).then([replaced('k2', 'new 0', entry('count', '2')), added('new 1', entry('', ''))]));

  it('of nothing does nothing', () => when([]).thenNothing());

  it('begins anew after a removal', () =>
    when([entry('a')], [added('k', entry('a')), removed('k')]).then([added('new 0', entry('a'))]));

  it('refuses long names, and more at once than an append can carry', () => {
    const longest = '😀'.repeat(LONGEST_NAME);
    when([entry(longest)]).then([added('new 0', entry(longest))]);
    when([entry(`${longest}x`)]).thenRefuses('BOT_STORAGE_KEY_TOO_LONG', { limit: LONGEST_NAME });
    const large = (length: number) => entry('a', 'x'.repeat(length));
    when([large(255 * 1024)]).then([added('new 0', large(255 * 1024))]);
    when([large(256 * 1024)]).thenRefuses('TOO_MUCH_FOR_BOT_STORAGE', { limit: 256 });
    const many = Array.from({ length: 600 }, (_, at) => entry(`${at}`));
    when(many).thenRefuses('TOO_MUCH_FOR_BOT_STORAGE');
    when(
      many,
      many.map((one, at) => added(`k${at}`, one)),
    ).thenNothing();
  });

  it('has room for so many names', () => {
    const full = Array.from({ length: MOST_ENTRIES }, (_, at) => added(`k${at}`, entry(`${at}`)));
    when([entry('one more')], full).thenRefuses('TOO_MANY_BOT_STORAGE_KEYS', { limit: MOST_ENTRIES });
    when([entry('0', 'new')], full).then([replaced('k0', 'new 0', entry('0', 'new'))]);
    when([entry('one more')], [...full, removed('k0')]).then([added('new 0', entry('one more'))]);
  });

  it('has room for ten million characters, which replaced values free', () => {
    // 40 entries of 250,000 characters: 1 of the name.
    const names = Array.from({ length: 40 }, (_, at) => String.fromCodePoint(0x1f600 + at));
    const full = names.map((name, at) => added(`k${at}`, entry(name, 'x'.repeat(249_999))));
    expect(given(botStorage, full).state.characters).toBe(10_000_000);
    when([entry('a', 'bc')], full).thenRefuses('BOT_STORAGE_FULL', { excess: 3, limit: 10_000_000 });
    const shorter = replaced('k0', 'new 0', entry(names[0] ?? '', ''));
    when([entry(names[0] ?? '', '')], full).then([shorter]);
    when([entry('a', 'bc')], [...full, shorter]).then([added('new 0', entry('a', 'bc'))]);
  });
});

describe('removing entries', () => {
  const history = [added('k1', entry('a')), added('k2', entry('b')), replaced('k2', 'k3', entry('b', 'w'))];
  const when = (names: readonly string[] | null) =>
    given(botStorage, history).when(decideRemoveEntries, new RemoveEntries({ userId: 1, names, by }), undefined);

  it('removes these names, each once, or all', () => {
    when(['b', 'b']).then([removed('k3')]);
    when(null).then([removed('k1'), removed('k3')]);
    when([]).thenNothing();
  });

  it('removes nothing if a name is unknown', () => when(['a', 'c']).thenRefuses('BOT_STORAGE_KEY_NOT_FOUND'));
});

it('the state is the same whether or not erased entries can still be read', () => {
  const life = (isThere: boolean) => {
    const what = (value: string) => (isThere ? entry('a', value) : null);
    const after = [replaced('k1', 'k2', what('2')), removed('k2'), added('k3', entry('b', 'x'))];
    return given(botStorage, [added('k1', what('1')), ...after]).state;
  };
  expect(JSON.stringify(life(false))).toBe(JSON.stringify(life(true)));
  // A process that has read the first value, and the second only after it was erased, forgets both.
  expect(given(botStorage, [added('k1', entry('a')), replaced('k1', 'k2', null), removed('k2')]).state.names.size).toBe(
    0,
  );
});

it('the state holds no value', () =>
  expect(JSON.stringify(given(botStorage, [added('k1', entry('a', 'secret'))]).state)).not.toContain('secret'));
