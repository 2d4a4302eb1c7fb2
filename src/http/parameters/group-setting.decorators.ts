import { IsOptional, ValidateBy } from 'class-validator';
import type { GroupSettingValue } from '../../kernel/group-setting.js';
import { JsonText } from './parameter-decorators.js';

/** The most ids that one setting may name. */
const MAX_IDS = 20_000;

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const isIds = (value: unknown): boolean => Array.isArray(value) && value.length <= MAX_IDS && value.every(isId);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `7`, or `{"direct_members": [1], "direct_subgroups": [7]}`. */
export function isGroupSettingValue(value: unknown): value is GroupSettingValue {
  if (isId(value)) return true;
  return isObject(value) && isIds(value.direct_members) && isIds(value.direct_subgroups);
}

const isGroupSettingUpdate = (value: unknown): boolean =>
  isObject(value) &&
  isGroupSettingValue(value.new) &&
  (value.old === undefined || value.old === null || isGroupSettingValue(value.old));

const validated =
  (name: string, validate: (value: unknown) => boolean, what: string) =>
  (): PropertyDecorator =>
  (prototype, property) => {
    const check = ValidateBy({ name, validator: { validate, defaultMessage: () => `$property is not ${what}` } });
    for (const decorate of [JsonText(), IsOptional(), check]) decorate(prototype, property);
  };

/** A permission, where something is created with it: a group's id or an anonymous group. */
export const GroupSetting = validated('isGroupSettingValue', isGroupSettingValue, 'a group setting');

/** A permission, where it is changed: `{"new": …, "old"?: …}`. */
export const GroupSettingChange = validated(
  'isGroupSettingUpdate',
  isGroupSettingUpdate,
  'a group setting with its new value',
);
