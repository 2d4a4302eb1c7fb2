import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../src/kernel/domain-error.js';
import { ROLES } from '../../src/kernel/role.js';
import { planSubscriptions, SubscribeToChannels } from '../../src/subscriptions/domain/subscribe-to-channels.js';
import { decideSubscribeUsers, SubscribeUsers } from '../../src/subscriptions/domain/subscribe-users.js';
import type { SubscriptionEvent } from '../../src/subscriptions/domain/subscriptions.events.js';
import { subscriptions } from '../../src/subscriptions/domain/subscriptions.state.js';
import { decideUnsubscribeUsers, UnsubscribeUsers } from '../../src/subscriptions/domain/unsubscribe-users.js';
import { given } from '../support/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const subscribed = (...userIds: number[]): SubscriptionEvent => ({
  type: 'UsersSubscribed',
  data: { channelId: 5, userIds },
});
const unsubscribed = (...userIds: number[]): SubscriptionEvent => ({
  type: 'UsersUnsubscribed',
  data: { channelId: 5, userIds },
});

describe('subscribing', () => {
  it('names only those who were not subscribed, each once', () => {
    given(subscriptions, [subscribed(1, 2), unsubscribed(2)])
      .when(decideSubscribeUsers, new SubscribeUsers(5, [3, 1, 2, 3], by), undefined)
      .then([subscribed(2, 3)]);
  });

  it('does nothing where all are subscribed', () => {
    given(subscriptions, [subscribed(1)])
      .when(decideSubscribeUsers, new SubscribeUsers(5, [1], by), undefined)
      .thenNothing();
  });
});

describe('unsubscribing', () => {
  it('names only those who were subscribed', () => {
    given(subscriptions, [subscribed(1, 2, 3), unsubscribed(3)])
      .when(decideUnsubscribeUsers, new UnsubscribeUsers(5, [2, 3, 4], by), undefined)
      .then([unsubscribed(2)]);
  });

  it('does nothing where none is subscribed', () => {
    given(subscriptions, [])
      .when(decideUnsubscribeUsers, new UnsubscribeUsers(5, [2], by), undefined)
      .thenNothing();
  });
});

describe('planning what a request subscribes', () => {
  const request = (changes: Partial<SubscribeToChannels['request']> = {}) =>
    new SubscribeToChannels(
      {
        channels: [
          { name: 'general', description: '' },
          { name: 'new', description: 'fresh' },
        ],
        principals: null,
        inviteOnly: false,
        historyPublicToSubscribers: null,
        authorizationErrorsFatal: true,
        ...changes,
      },
      1,
      by,
    );
  const facts = {
    callerRole: ROLES.member,
    principals: [],
    channel: (name: string) =>
      name === 'general' ? { id: 5, mayJoin: true } : name === 'secret' ? { id: 6, mayJoin: false } : null,
  };
  const refusalOf = (plan: () => unknown): string => {
    try {
      plan();
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
    throw new Error('the request was not refused');
  };

  it('tells what exists from what is to be created', () => {
    expect(planSubscriptions(request(), facts)).toEqual({
      userIds: [1],
      existing: [{ id: 5, name: 'general' }],
      toCreate: [{ name: 'new', description: 'fresh' }],
      unauthorized: [],
    });
  });

  it('takes names that differ in case for one channel', () => {
    const channels = [
      { name: 'Fresh', description: 'first' },
      { name: 'fresh', description: 'second' },
    ];
    expect(planSubscriptions(request({ channels }), facts).toCreate).toEqual([{ name: 'Fresh', description: 'first' }]);
  });

  it('refuses a channel out of reach, or lists it where asked to', () => {
    const channels = [{ name: 'secret', description: '' }];
    expect(refusalOf(() => planSubscriptions(request({ channels }), facts))).toBe('CHANNEL_OUT_OF_REACH');
    const plan = planSubscriptions(request({ channels, authorizationErrorsFatal: false }), facts);
    expect(plan).toMatchObject({ existing: [], toCreate: [], unauthorized: ['secret'] });
  });

  it('refuses unknown and deactivated principals, and guests who subscribe others', () => {
    const principals = [2];
    const known = { id: 2, isActive: true };
    expect(refusalOf(() => planSubscriptions(request({ principals }), { ...facts, principals: [null] }))).toBe(
      'INVALID_USER_ID',
    );
    expect(refusalOf(() => planSubscriptions(request({ principals: ['x@y'] }), { ...facts, principals: [null] }))).toBe(
      'INVALID_EMAIL',
    );
    expect(
      refusalOf(() =>
        planSubscriptions(request({ principals }), { ...facts, principals: [{ id: 2, isActive: false }] }),
      ),
    ).toBe('PRINCIPAL_DEACTIVATED');
    expect(
      refusalOf(() =>
        planSubscriptions(request({ principals }), { ...facts, callerRole: ROLES.guest, principals: [known] }),
      ),
    ).toBe('NOT_AUTHORIZED');
  });

  it('refuses a request without channels', () => {
    expect(refusalOf(() => planSubscriptions(request({ channels: [] }), facts))).toBe('NO_CHANNELS_GIVEN');
  });
});
