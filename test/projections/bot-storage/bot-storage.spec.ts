import { expect, it } from '@jest/globals';
import { botStorage } from '../../../projections/bot-storage/bot-storage.projection.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import type { BotStorageEvent } from '../../../src/events/bot-storage/bot-storage.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const life = (isThere = true): readonly BotStorageEvent[] => {
  const entry = (name: string, value: string) => (isThere ? { name, value } : null);
  return [
    { type: 'BotStorageEntryAdded', data: { userId: 1, keyId: 'k1', entry: entry('count', '1') } },
    { type: 'BotStorageEntryAdded', data: { userId: 1, keyId: 'k2', entry: entry('gone', 'x') } },
    { type: 'BotStorageEntryAdded', data: { userId: 2, keyId: 'k3', entry: { name: 'count', value: '7' } } },
    {
      type: 'BotStorageEntryReplaced',
      data: { userId: 1, keyId: 'k4', previousKeyId: 'k1', entry: { name: 'count', value: '2' } },
    },
    { type: 'BotStorageEntryRemoved', data: { userId: 1, keyId: 'k2' } },
  ];
};
const of = (events: readonly BotStorageEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => [`botStorage-${event.data.userId}`, event]));

it('the documents of bot storage hold the current values', async () => {
  expect(await projected(botStorage, of(life()))).toEqual({
    entries: [
      { _id: '1/k4', userId: 1, name: 'count', value: '2', bytes: 28, position: 4 },
      { _id: '2/k3', userId: 2, name: 'count', value: '7', bytes: 28, position: 3 },
    ],
    owners: [
      { _id: 1, position: 5 },
      { _id: 2, position: 3 },
    ],
  });
});

it('the documents are the same whether or not the keys of erased values still exist', async () => {
  expect(await projected(botStorage, of(life(false)))).toEqual(await projected(botStorage, of(life())));
});

it('clients are told nothing', async () => {
  expect((await projected(clientEvents, of(life()))).events).toEqual([]);
});
