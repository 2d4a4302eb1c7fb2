import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { userStatuses } from '../../../projections/user-statuses/user-statuses.projection.js';
import type { Emoji } from '../../../src/events/messages/message.events.js';
import type { UserStatusEvent } from '../../../src/events/user-status/user-status.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const car: Emoji = { emojiName: 'car', emojiCode: '1f697', reactionType: 'unicode_emoji' };

/** A status of two parts whose text is replaced, one that is cleared, and one of an emoji alone. */
const life = (isThere = true): readonly UserStatusEvent[] => {
  const words = (text: string) => (isThere ? { text } : null);
  return [
    { type: 'UserStatusTextSet', data: { userId: 1, told: [], keyId: 'k1', words: words('Driving') } },
    { type: 'UserStatusEmojiChanged', data: { userId: 1, told: ['text', 'emoji'], from: null, to: car } },
    { type: 'UserStatusTextSet', data: { userId: 2, told: ['text'], keyId: 'k2', words: words('Lunch') } },
    {
      type: 'UserStatusTextReplaced',
      data: { userId: 1, told: ['text'], keyId: 'k3', previousKeyId: 'k1', words: { text: 'Parked' } },
    },
    { type: 'UserStatusTextCleared', data: { userId: 2, told: ['text'], keyId: 'k2' } },
    { type: 'UserStatusEmojiChanged', data: { userId: 3, told: ['emoji'], from: null, to: car } },
  ];
};
const of = (events: readonly UserStatusEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => [`user-${event.data.userId}`, event]));

describe('the documents of statuses', () => {
  it('hold each status as it is, and none that has no part', async () => {
    expect(await projected(userStatuses, of(life()))).toEqual({
      statuses: [
        { _id: '1/status', userId: 1, text: 'Parked', emoji: car, position: 4 },
        { _id: '3/status', userId: 3, text: '', emoji: car, position: 6 },
      ],
      owners: [
        { _id: 1, position: 4 },
        { _id: 2, position: 5 },
        { _id: 3, position: 6 },
      ],
    });
  });

  it('are the same whether or not the keys of erased texts still exist', async () => {
    expect(await projected(userStatuses, of(life(false)))).toEqual(await projected(userStatuses, of(life())));
  });
});

it('client events of statuses go to everybody, name the told parts, and hold no text', async () => {
  const { events } = await projected(clientEvents, of(life()));
  const audience = { everyone: true };
  expect(events).toMatchObject([
    {
      kind: 'user_status',
      audience,
      part: 'user_status',
      position: 2,
      payload: { userId: 1, told: ['text', 'emoji'] },
    },
    { kind: 'user_status', audience, position: 3, payload: { userId: 2, told: ['text'] } },
    { kind: 'user_status', audience, position: 4, payload: { userId: 1, told: ['text'] } },
    { kind: 'user_status', audience, position: 5, payload: { userId: 2, told: ['text'] } },
    { kind: 'user_status', audience, position: 6, payload: { userId: 3, told: ['emoji'] } },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/Driving|Parked|Lunch/);
});
