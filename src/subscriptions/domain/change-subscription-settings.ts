import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { SubscriptionSettingChanged } from './subscriptions.events.js';
import type { SubscriptionSetting, SubscriptionSettings } from './subscriptions.settings.js';
import { type SubscriptionsState, settingsOf, subscriptions } from './subscriptions.state.js';

export interface SettingChange {
  readonly setting: SubscriptionSetting;
  readonly to: SubscriptionSettings[SubscriptionSetting];
}

/** How a user wants to have some of their channels: one change after the other. */
export class ChangeSubscriptionSettings {
  constructor(
    readonly userId: number,
    readonly changes: readonly (SettingChange & { readonly channelId: number })[],
    readonly by: CommandContext,
  ) {}
}

/** What the user has to do with a channel; hidden: it does not exist for them. */
export type SubscriptionStatus = 'hidden' | 'not subscribed' | 'subscribed';

/** The changes by channel, if every one of them can be made. */
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

/** The same in one channel. */
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

/** One event for each change that changes something. */
export function settingChanges(
  channelId: number,
  userId: number,
  changes: readonly SettingChange[],
  before: SubscriptionsState,
): readonly SubscriptionSettingChanged[] {
  const events: SubscriptionSettingChanged[] = [];
  let state = before;
  for (const { setting, to } of changes) {
    const from = settingsOf(state, channelId, userId)[setting];
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
