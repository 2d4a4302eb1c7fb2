import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** In the user's stream, `user-<id>`: one setting, by the API's name and with its values. */
export type UserSettingChanged = DomainEvent<
  'UserSettingChanged',
  {
    readonly userId: number;
    readonly property: string;
    readonly from: UserSettingValue;
    readonly to: UserSettingValue;
  }
>;

export type UserSettingValue = boolean | number | string;

export const userSettingsEvents = [
  defineEvent<UserSettingChanged>({ type: 'UserSettingChanged', concerns: concernsUser }),
];
