import { expect, it } from '@jest/globals';
import { Actors } from '../../../src/app/cli/log-entry.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { EventStore } from '../../../src/platform/log/event-store.js';
import { history } from '../../support/events/history.js';
import { botCreated, userCreated } from '../../support/events/users.js';

it('actors, bots too, have the names and addresses that they have now, and are found by earlier addresses', async () => {
  const renamed = { userId: 1, from: 'User 1', to: 'Iris' };
  const moved = { userId: 1, from: 'user1@example.com', to: 'iris@example.com' };
  const events: Recorded[] = history(
    ['users', userCreated(1)],
    ['users', botCreated(2, 1)],
    ['users', { type: 'UserRenamed', data: renamed }],
    ['users', { type: 'UserEmailChanged', data: moved }],
  );
  const log = { readStream: async (_: string, { from = 0 } = {}) => events.slice(from) };
  const actors = new Actors(log as unknown as EventStore, { decode: async (stored) => stored as never });
  expect(await actors.withId(1)).toEqual({ id: 1, name: 'Iris', email: 'iris@example.com' });
  expect(await actors.withId(2)).toEqual({ id: 2, name: 'Bot 2', email: 'bot2-bot@example.com' });
  for (const email of ['IRIS@example.com', 'user1@example.com'])
    expect(await actors.idsWithEmail(email)).toEqual(new Set([1]));
  expect(await actors.idsWithEmail('nobody@example.com')).toEqual(new Set());
  expect([await actors.exists(1), await actors.exists(3)]).toEqual([true, false]);
});
