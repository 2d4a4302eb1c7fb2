import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

/** In the stream of what concerns its user alone: one of their settings, by the API's name and in its values. */
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

export const userSettingsEvents = [defineEvent<UserSettingChanged>({ type: 'UserSettingChanged', version: 1 })];
