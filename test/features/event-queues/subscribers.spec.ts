import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import { history, type InHistory } from '../../support/events/history.js';

const USERS = [1, 2, 3, 4];
const CHANNELS = [7, 8];

const accounts = USERS.map(
  (userId): InHistory => [
    'users',
    {
      type: 'UserCreated',
      data: { userId, email: `u${userId}@example.com`, fullName: 'U', role: 400, passwordHash: null, channelIds: [] },
    },
  ],
);

const change: fc.Arbitrary<InHistory> = fc
  .record({
    type: fc.constantFrom('UsersSubscribed', 'UsersSubscribed', 'UsersUnsubscribed', 'UserDeactivated'),
    channelId: fc.constantFrom(...CHANNELS),
    userIds: fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1, maxLength: 2 }),
  })
  .map(({ type, channelId, userIds }) =>
    type === 'UserDeactivated'
      ? ['users', { type, data: { userId: userIds[0] } }]
      : [`subscriptions-${channelId}`, { type, data: { channelId, userIds } }],
  );

describe('the subscribers of a channel', () => {
  it('can be read as of any past event', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
        const directory = new Directory();
        const then = new Map<number, (readonly number[])[]>();
        for (const event of history(...accounts, ...changes)) {
          if (isDirectoryEvent(event)) directory.apply(event);
          then.set(
            event.position,
            CHANNELS.map((channelId) => directory.subscriberIds(channelId)),
          );
        }
        for (const [position, subscribers] of then) {
          expect(CHANNELS.map((channelId) => directory.subscriberIdsAfter(channelId, position))).toEqual(subscribers);
        }
      }),
      { numRuns: 300 },
    );
  });
});
