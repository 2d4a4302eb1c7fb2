import type { SubscriptionEvent } from '../../events/channels/subscriptions.events.js';
import type { SubscriptionRecord } from '../directory.records.js';
import { alters, begun, ended, type Rules } from './rule.js';

const subscriptionId = (channelId: number, userId: number): string => `${channelId}/${userId}`;

export const subscriptionRules: Rules<SubscriptionEvent> = {
  UsersSubscribed: {
    touches: ({ data }) => data.userIds.map((userId) => ['subscriptions', subscriptionId(data.channelId, userId)]),
    changes: ({ data, position }, get) =>
      data.userIds.flatMap((userId) => {
        const _id = subscriptionId(data.channelId, userId);
        const before = get('subscriptions', _id);
        if (before && before.position >= position) return [];
        const record: SubscriptionRecord = {
          _id,
          channelId: data.channelId,
          userId,
          intervals: begun(before?.intervals ?? [], position),
          settings: before?.settings ?? {},
          position,
        };
        return [{ kind: 'subscriptions', record }];
      }),
  },
  UsersUnsubscribed: {
    touches: ({ data }) => data.userIds.map((userId) => ['subscriptions', subscriptionId(data.channelId, userId)]),
    changes: ({ data, position }, get) =>
      data.userIds.flatMap((userId) => {
        const before = get('subscriptions', subscriptionId(data.channelId, userId));
        if (!before || before.position >= position) return [];
        return [
          { kind: 'subscriptions', record: { ...before, intervals: ended(before.intervals, position), position } },
        ];
      }),
  },
  SubscriptionSettingChanged: alters(
    'subscriptions',
    ({ data }) => subscriptionId(data.channelId, data.userId),
    ({ data }, { settings }) => ({ settings: { ...settings, [data.setting]: data.to } }),
  ),
};
