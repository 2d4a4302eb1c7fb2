import type { SubscriptionSettingChanged } from '../../../events/channels/subscriptions.events.js';
import type { SubscriptionSetting, SubscriptionSettings } from '../../../events/channels/subscriptions.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { ownSettings, type SubscriptionsState, subscriptions } from './subscriptions.state.js';

export interface SettingChange {
  readonly setting: SubscriptionSetting;
  readonly to: SubscriptionSettings[SubscriptionSetting];
}

/** Changes a user's own settings of some channels, in order. */
export class ChangeSubscriptionSettings extends Command<{
  userId: number;
  changes: readonly (SettingChange & { readonly channelId: number })[];
}> {}

/** A user's relation to a channel; hidden: the user does not see it. */
export type SubscriptionStatus = 'hidden' | 'not subscribed' | 'subscribed';

/** The changes by channel; refuses if any cannot be made. */
export function planSettingChanges(
  { changes }: ChangeSubscriptionSettings,
  statusIn: (channelId: number) => SubscriptionStatus,
): ReadonlyMap<number, readonly SettingChange[]> {
  const planned = new Map<number, SettingChange[]>();
  for (const { channelId, setting, to } of changes) {
    const status = statusIn(channelId);
    if (status === 'hidden') refuse('INVALID_CHANNEL_ID');
    if (status === 'not subscribed') refuse('NOT_SUBSCRIBED', { channelId });
    planned.set(channelId, [...(planned.get(channelId) ?? []), { setting, to }]);
  }
  return planned;
}

/** Changes a user's own settings of one channel. */
export class ChangeSettingsInChannel {
  constructor(
    readonly channelId: number,
    readonly userId: number,
    readonly changes: readonly SettingChange[],
  ) {}
}

export const decideChangeSettings: Decide<ChangeSettingsInChannel, SubscriptionsState, SubscriptionSettingChanged> = (
  { channelId, userId, changes },
  state,
) => {
  if (!state.subscribed.has(userId)) refuse('NOT_SUBSCRIBED', { channelId });
  return settingChanges(channelId, userId, changes, state);
};

/** One event for each change that has an effect. */
export function settingChanges(
  channelId: number,
  userId: number,
  changes: readonly SettingChange[],
  before: SubscriptionsState,
): readonly SubscriptionSettingChanged[] {
  const events: SubscriptionSettingChanged[] = [];
  let state = before;
  for (const { setting, to } of changes) {
    const from = ownSettings(state, channelId, userId)[setting];
    if (from === to) continue;
    const changed: SubscriptionSettingChanged = {
      type: 'SubscriptionSettingChanged',
      data: { channelId, userId, setting, from, to },
    };
    events.push(changed);
    state = subscriptions.evolve(state, changed);
  }
  return events;
}
