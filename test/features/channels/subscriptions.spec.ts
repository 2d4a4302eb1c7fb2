import { describe, expect, it } from '@jest/globals';
import type { SubscriptionEvent } from '../../../src/events/channels/subscriptions.events.js';
import {
  defaultSubscriptionSettings,
  type SubscriptionSettings,
} from '../../../src/events/channels/subscriptions.settings.js';
import {
  ChangeSettingsInChannel,
  ChangeSubscriptionSettings,
  decideChangeSettings,
  planSettingChanges,
  type SettingChange,
} from '../../../src/features/channels/domain/change-subscription-settings.js';
import { planSubscriptions, SubscribeToChannels } from '../../../src/features/channels/domain/subscribe-to-channels.js';
import {
  decideSubscribeUsers,
  decideUnsubscribeUsers,
  requireSomeChange,
  SubscribeUsers,
  UnsubscribeUsers,
  UpdateSubscriptions,
} from '../../../src/features/channels/domain/subscribe-users.js';
import { ownSettings as settingsOf, subscriptions } from '../../../src/features/channels/domain/subscriptions.state.js';
import {
  planUnsubscriptions,
  UnsubscribeFromChannels,
} from '../../../src/features/channels/domain/unsubscribe-from-channels.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const USUAL = defaultSubscriptionSettings(5);

const subscribed = (...userIds: number[]): SubscriptionEvent => ({
  type: 'UsersSubscribed',
  data: { channelId: 5, userIds },
});
const unsubscribed = (...userIds: number[]): SubscriptionEvent => ({
  type: 'UsersUnsubscribed',
  data: { channelId: 5, userIds },
});
const changed = <S extends keyof SubscriptionSettings>(
  userId: number,
  setting: S,
  from: SubscriptionSettings[S],
  to: SubscriptionSettings[S],
): SubscriptionEvent => ({
  type: 'SubscriptionSettingChanged',
  data: { channelId: 5, userId, setting, from, to },
});

const refusalOf = (plan: () => unknown): readonly [string, object] => {
  try {
    plan();
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.data];
    throw error;
  }
  throw new Error('the request was not refused');
};

describe('subscribing', () => {
  it('names only users who were not subscribed, each once', () => {
    given(subscriptions, [subscribed(1, 2), unsubscribed(2)])
      .when(
        decideSubscribeUsers,
        new SubscribeUsers({ channelId: 5, userIds: [3, 1, 2, 3], by, color: null }),
        undefined,
      )
      .then([subscribed(2, 3)]);
  });

  it('does nothing when all are subscribed', () => {
    given(subscriptions, [subscribed(1)])
      .when(decideSubscribeUsers, new SubscribeUsers({ channelId: 5, userIds: [1], by, color: null }), undefined)
      .thenNothing();
  });

  it('with a color changes it in the same append, for new and present subscribers with another color', () => {
    given(subscriptions, [subscribed(1, 2), changed(2, 'color', USUAL.color, '#abc')])
      .when(
        decideSubscribeUsers,
        new SubscribeUsers({ channelId: 5, userIds: [3, 2, 1], by, color: '#abc' }),
        undefined,
      )
      .then([subscribed(3), changed(1, 'color', USUAL.color, '#abc'), changed(3, 'color', USUAL.color, '#abc')]);
  });
});

describe('unsubscribing', () => {
  it('names only users who were subscribed, each once', () => {
    given(subscriptions, [subscribed(1, 2, 3), unsubscribed(3)])
      .when(decideUnsubscribeUsers, new UnsubscribeUsers({ channelId: 5, userIds: [2, 3, 4, 2], by }), undefined)
      .then([unsubscribed(2)]);
  });

  it('does nothing when none is subscribed', () => {
    given(subscriptions, [])
      .when(decideUnsubscribeUsers, new UnsubscribeUsers({ channelId: 5, userIds: [2], by }), undefined)
      .thenNothing();
  });
});

describe('the settings of a subscriber', () => {
  const change = (...changes: SettingChange[]) => new ChangeSettingsInChannel(5, 1, changes);

  it('change with one event for each, which has the old value', () => {
    given(subscriptions, [subscribed(1), changed(1, 'color', USUAL.color, '#123456')])
      .when(
        decideChangeSettings,
        change(
          { setting: 'color', to: '#fff' },
          { setting: 'pin_to_top', to: false },
          { setting: 'is_muted', to: true },
          { setting: 'push_notifications', to: false },
        ),
        undefined,
      )
      .then([
        changed(1, 'color', '#123456', '#fff'),
        changed(1, 'is_muted', false, true),
        changed(1, 'push_notifications', null, false),
      ]);
  });

  it('change in the order of the request', () => {
    given(subscriptions, [subscribed(1)])
      .when(
        decideChangeSettings,
        change(
          { setting: 'is_muted', to: true },
          { setting: 'is_muted', to: true },
          { setting: 'is_muted', to: false },
        ),
        undefined,
      )
      .then([changed(1, 'is_muted', false, true), changed(1, 'is_muted', true, false)]);
  });

  it('do not change if the value is already set', () => {
    given(subscriptions, [subscribed(1)])
      .when(decideChangeSettings, change({ setting: 'color', to: USUAL.color }), undefined)
      .thenNothing();
  });

  it('are refused to users who are not subscribed, or no longer', () => {
    for (const history of [[subscribed(2)], [subscribed(1), unsubscribed(1)]]) {
      given(subscriptions, history)
        .when(decideChangeSettings, change({ setting: 'is_muted', to: true }), undefined)
        .thenRefuses('NOT_SUBSCRIBED', { channelId: 5 });
    }
  });

  it('stay over an unsubscription, and belong to one subscriber', () => {
    const { state } = given(subscriptions, [
      subscribed(1, 2),
      changed(1, 'pin_to_top', false, true),
      unsubscribed(1),
      subscribed(1),
    ]);
    expect(settingsOf(state, 5, 1)).toEqual({ ...USUAL, pin_to_top: true });
    expect(settingsOf(state, 5, 2)).toEqual(USUAL);
  });

  it('are planned by channel, or refused as a whole', () => {
    const statusIn = (channelId: number) =>
      channelId === 7 ? 'hidden' : channelId === 6 ? 'not subscribed' : 'subscribed';
    const muted = (channelId: number) => ({ channelId, setting: 'is_muted' as const, to: true });
    const pinned = { channelId: 5, setting: 'pin_to_top' as const, to: true };
    const plan = (...changes: ChangeSubscriptionSettings['changes']) =>
      planSettingChanges(new ChangeSubscriptionSettings({ userId: 1, changes, by }), statusIn);
    expect([...plan(muted(5), muted(4), pinned)]).toEqual([
      [
        5,
        [
          { setting: 'is_muted', to: true },
          { setting: 'pin_to_top', to: true },
        ],
      ],
      [4, [{ setting: 'is_muted', to: true }]],
    ]);
    expect(refusalOf(() => plan(muted(5), muted(7)))).toEqual(['INVALID_CHANNEL_ID', {}]);
    expect(refusalOf(() => plan(muted(5), muted(6)))).toEqual(['NOT_SUBSCRIBED', { channelId: 6 }]);
  });
});

describe('the plan of a request to subscribe', () => {
  const named = (name: string, description = '') => ({ name, description, color: null });
  const request = (changes: Partial<SubscribeToChannels['request']> = {}) =>
    new SubscribeToChannels({
      request: {
        channels: [named('general'), named('new', 'fresh')],
        principals: null,
        authorizationErrorsFatal: true,
        options: {},
        ...changes,
      },
      callerId: 1,
      by,
    });
  const CHANNELS: Readonly<Record<string, { id: number; mayJoin: boolean; mayAddOthers: boolean }>> = {
    general: { id: 5, mayJoin: true, mayAddOthers: true },
    secret: { id: 6, mayJoin: false, mayAddOthers: false },
    closed: { id: 7, mayJoin: true, mayAddOthers: false },
  };
  const facts = { principals: [], channel: (name: string) => CHANNELS[name] ?? null };
  const known = (id: number) => ({ id, isActive: true });

  it('tells existing channels from new ones', () => {
    expect(planSubscriptions(request(), facts)).toEqual({
      userIds: [1],
      existing: [{ ...named('general'), id: 5 }],
      toCreate: [named('new', 'fresh')],
      unauthorized: [],
    });
  });

  it('treats names that differ in case or outer white space as one channel', () => {
    const channels = [named('Fresh', 'first'), named(' fresh ', 'second')];
    expect(planSubscriptions(request({ channels }), facts).toCreate).toEqual([named('Fresh', 'first')]);
  });

  it('names each principal once, and nobody for an empty list', () => {
    const principals = { ...facts, principals: [known(3), known(2), known(3)] };
    expect(planSubscriptions(request({ principals: [3, 2, 3] }), principals).userIds).toEqual([3, 2]);
    expect(planSubscriptions(request({ principals: [] }), facts).userIds).toEqual([]);
  });

  it.each([
    ['a channel out of reach', 'secret', null, 'CHANNEL_OUT_OF_REACH'],
    ['a channel out of reach for other users', 'secret', [2], 'CHANNEL_OUT_OF_REACH'],
    ['to add others to a channel that the caller may only join', 'closed', [2], 'NOT_AUTHORIZED'],
    ['to add others together with the caller to such a channel', 'closed', [1, 2], 'NOT_AUTHORIZED'],
  ])('refuses %s, or lists it as unauthorized if errors are not fatal', (_, name, principals, code) => {
    const channels = [named('general'), named(name)];
    const all = { ...facts, principals: (principals ?? []).map(known) };
    expect(refusalOf(() => planSubscriptions(request({ channels, principals }), all))).toEqual([code, { name }]);
    const plan = planSubscriptions(request({ channels, principals, authorizationErrorsFatal: false }), all);
    expect(plan).toMatchObject({ existing: [{ id: 5 }], toCreate: [], unauthorized: [name] });
  });

  it('lets the caller join, also by their own id', () => {
    const channels = [named('closed')];
    expect(planSubscriptions(request({ channels }), facts).existing).toMatchObject([{ id: 7 }]);
    const own = planSubscriptions(request({ channels, principals: [1] }), { ...facts, principals: [known(1)] });
    expect(own.existing).toMatchObject([{ id: 7 }]);
  });

  it('refuses unknown and deactivated principals', () => {
    const refusal = (principals: (number | string)[], found: ({ id: number; isActive: boolean } | null)[]) =>
      refusalOf(() => planSubscriptions(request({ principals }), { ...facts, principals: found }));
    expect(refusal([2], [null])).toEqual(['INVALID_USER_ID', { userId: 2 }]);
    expect(refusal(['x@y'], [null])).toEqual(['INVALID_EMAIL', { email: 'x@y' }]);
    expect(refusal([2], [{ id: 2, isActive: false }])).toEqual(['PRINCIPAL_DEACTIVATED', {}]);
  });

  it('refuses a request without channels', () => {
    expect(refusalOf(() => planSubscriptions(request({ channels: [] }), facts))).toEqual(['NO_CHANNELS_GIVEN', {}]);
  });
});

describe('the plan of a request to unsubscribe', () => {
  const request = (channelNames: string[], principals: (number | string)[] | null = null) =>
    new UnsubscribeFromChannels({ channelNames, principals, callerId: 1, by });
  const CHANNELS: Readonly<Record<string, { id: number; mayRemoveOthers: boolean }>> = {
    general: { id: 5, mayRemoveOthers: false },
    GENERAL: { id: 5, mayRemoveOthers: false },
    mine: { id: 6, mayRemoveOthers: true },
  };
  const facts = { principals: [], channel: (name: string) => CHANNELS[name] ?? null };
  const own = { id: 1, isActive: true, isOwn: true };
  const bot = { id: 8, isActive: true, isOwn: true };
  const other = { id: 2, isActive: true, isOwn: false };

  it('unsubscribes the caller if it names no user', () => {
    expect(planUnsubscriptions(request(['general', ' mine ', 'GENERAL']), facts)).toEqual({
      userIds: [1],
      channelIds: [5, 6],
    });
  });

  it('names no user for an empty list of principals, and no channel for an empty list of channels', () => {
    expect(planUnsubscriptions(request(['general'], []), facts)).toEqual({ userIds: [], channelIds: [5] });
    expect(planUnsubscriptions(request([]), facts)).toEqual({ userIds: [1], channelIds: [] });
  });

  it('lets the caller and their bots leave any channel that the caller sees', () => {
    const principals = { ...facts, principals: [own, bot] };
    expect(planUnsubscriptions(request(['general'], [1, 8]), principals).userIds).toEqual([1, 8]);
  });

  it('removes other users only if the caller may do so in all of the channels', () => {
    const principals = { ...facts, principals: [other] };
    expect(planUnsubscriptions(request(['mine'], [2]), principals)).toEqual({ userIds: [2], channelIds: [6] });
    expect(refusalOf(() => planUnsubscriptions(request(['mine', 'general'], [2]), principals))).toEqual([
      'NOT_AUTHORIZED',
      {},
    ]);
    const both = { ...facts, principals: [own, other] };
    expect(refusalOf(() => planUnsubscriptions(request(['general'], [1, 2]), both))).toEqual(['NOT_AUTHORIZED', {}]);
  });

  it('refuses a channel that does not exist or is hidden, and names it as the caller did', () => {
    expect(refusalOf(() => planUnsubscriptions(request(['general', ' Vault ']), facts))).toEqual([
      'STREAM_DOES_NOT_EXIST',
      { stream: 'Vault' },
    ]);
  });

  it('refuses unknown and deactivated principals before it checks channels', () => {
    const refusal = (principals: (number | string)[], found: (typeof other | null)[]) =>
      refusalOf(() => planUnsubscriptions(request(['nowhere'], principals), { ...facts, principals: found }));
    expect(refusal([9], [null])).toEqual(['INVALID_USER_ID', { userId: 9 }]);
    expect(refusal(['x@y'], [null])).toEqual(['INVALID_EMAIL', { email: 'x@y' }]);
    expect(refusal([2], [{ ...other, isActive: false }])).toEqual(['PRINCIPAL_DEACTIVATED', {}]);
  });
});

describe('updating the caller’s subscriptions', () => {
  it('needs something to add or to delete', () => {
    expect(
      refusalOf(() => requireSomeChange(new UpdateSubscriptions({ add: [], remove: [], callerId: 1, by }))),
    ).toEqual(['NO_SUBSCRIPTION_CHANGES', {}]);
    requireSomeChange(new UpdateSubscriptions({ add: [], remove: ['general'], callerId: 1, by }));
    requireSomeChange(
      new UpdateSubscriptions({ add: [{ name: 'a', description: '', color: null }], remove: [], callerId: 1, by }),
    );
  });
});
