import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { personal } from '../../../projections/personal/personal.projection.js';
import type { PersonalEvent } from '../../../src/events/personal/personal.events.js';
import type { TopicPolicy } from '../../../src/events/personal/personal.settings.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const policySet = (topic: string, from: TopicPolicy, to: TopicPolicy, userId = 1): PersonalEvent => ({
  type: 'TopicPolicySet',
  data: { userId, channelId: 7, topic, from, to },
});
const of = (...events: DomainEvent[]) =>
  history(
    ...events.map((event): [string, DomainEvent] => [`user-${(event.data as { userId: number }).userId}`, event]),
  );
const at = (position: number): number => 1_700_000_000_000 + position * 1000;
const seconds = (position: number): number => at(position) / 1000;

describe('the personal projection', () => {
  it('has a document for each topic with a policy, under its case-folded name', async () => {
    const documents = await projected(
      personal,
      of(policySet('Lunch', 0, 1), policySet('', 0, 3), policySet('Lunch', 1, 2), policySet('Lunch', 0, 1, 2)),
    );
    const lunch = { channelId: 7, topicKey: 'lunch', topic: 'Lunch' };
    expect(documents.topicPolicies).toEqual([
      { _id: '1/7/', userId: 1, channelId: 7, topicKey: '', topic: '', policy: 3, setAt: at(2), position: 2 },
      { _id: '1/7/lunch', userId: 1, ...lunch, policy: 2, setAt: at(3), position: 3 },
      { _id: '2/7/lunch', userId: 2, ...lunch, policy: 1, setAt: at(4), position: 4 },
    ]);
    expect(documents.lists).toMatchObject([
      { _id: 1, position: 3 },
      { _id: 2, position: 4 },
    ]);
  });

  it('has no document for a policy that was reset', async () => {
    const documents = await projected(personal, of(policySet('Lunch', 0, 1), policySet('Lunch', 1, 0)));
    expect(documents.topicPolicies).toEqual([]);
    expect(documents.lists).toMatchObject([{ _id: 1, position: 2 }]);
  });

  it('keeps alert words and muted users in the order in which they were added', async () => {
    const documents = await projected(
      personal,
      of(
        { type: 'AlertWordsAdded', data: { userId: 1, words: ['b', 'A'] } },
        { type: 'UserMuted', data: { userId: 1, mutedUserId: 9 } },
        { type: 'AlertWordsAdded', data: { userId: 1, words: ['c'] } },
        { type: 'UserMuted', data: { userId: 1, mutedUserId: 4 } },
        { type: 'AlertWordsRemoved', data: { userId: 1, words: ['A'] } },
        { type: 'UserUnmuted', data: { userId: 1, mutedUserId: 9 } },
        { type: 'UserMuted', data: { userId: 1, mutedUserId: 9 } },
      ),
    );
    const mutedUsers = [
      { userId: 4, at: at(4) },
      { userId: 9, at: at(7) },
    ];
    const heldWords = [
      { word: 'b', from: 1, to: null },
      { word: 'A', from: 1, to: 5 },
      { word: 'c', from: 3, to: null },
    ];
    const words = { alertWords: ['b', 'c'], heldWords, wordsChangedAt: 5 };
    expect(documents.lists).toEqual([{ _id: 1, ...words, mutedUsers, position: 7 }]);
  });
});

describe('client events of personal data', () => {
  const told = async (...events: DomainEvent[]) =>
    (await projected(clientEvents, of(...events))).events?.map((event) => {
      const { kind, part, audience, payload } = event as unknown as Record<string, unknown>;
      expect([part, audience]).toEqual(['personal', { userIds: [1] }]);
      return [kind, payload];
    });

  it('hold each new policy, and the old list if a topic becomes muted or unmuted', async () => {
    const policy = (position: number, topic: string, is: TopicPolicy) => [
      'user_topic',
      { channelId: 7, topic, policy: is, setAt: at(position) },
    ];
    expect(await told(policySet('a', 0, 2), policySet('a', 2, 1), policySet('a', 1, 3), policySet('a', 3, 0))).toEqual([
      policy(1, 'a', 2),
      ['muted_topics', {}],
      policy(2, 'a', 1),
      ['muted_topics', {}],
      policy(3, 'a', 3),
      policy(4, 'a', 0),
    ]);
  });

  it('hold the lists as they are after the event', async () => {
    expect(
      await told(
        { type: 'AlertWordsAdded', data: { userId: 1, words: ['b', 'a'] } },
        { type: 'UserMuted', data: { userId: 1, mutedUserId: 9 } },
        { type: 'AlertWordsRemoved', data: { userId: 1, words: ['b'] } },
        { type: 'UserUnmuted', data: { userId: 1, mutedUserId: 9 } },
      ),
    ).toEqual([
      ['alert_words', { body: { alert_words: ['b', 'a'] } }],
      ['muted_users', { body: { muted_users: [{ id: 9, timestamp: seconds(2) }] } }],
      ['alert_words', { body: { alert_words: ['a'] } }],
      ['muted_users', { body: { muted_users: [] } }],
    ]);
  });
});
