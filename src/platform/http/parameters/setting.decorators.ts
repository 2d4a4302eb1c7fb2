import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import type { Check, ValueType } from '../../kernel/value-type.js';
import { JsonOrNull, JsonOrText, JsonText } from './parameter-decorators.js';

type Types = Readonly<Record<string, { readonly type: ValueType<unknown> }>>;

/** The parameters for a table's settings, each optional. */
export type Sent<Rows extends Types> = {
  readonly [Name in keyof Rows]?: Rows[Name]['type'] extends ValueType<infer Value> ? Value : never;
};

/**
 * The base of a parameters class that takes every setting of a table, after the class's own parameters and its base's:
 * `class UpdateUserGroupParameters extends settingsOf(updatesOf(USER_GROUP_PERMISSIONS)) { … }`
 */
export function settingsOf<Rows extends Types, Base extends object = object>(
  rows: Rows,
  base?: new () => Base,
): new () => Base & Sent<Rows> {
  const parent: new () => object = base ?? Object;
  class Settings extends parent {}
  for (const [name, { type }] of Object.entries(rows)) Sendable(type)(Settings.prototype, name);
  // The decorators have declared the properties of the type.
  return Settings as new () => Base & Sent<Rows>;
}

/** An optional parameter of the type. */
export const Sendable =
  (type: ValueType<unknown>): PropertyDecorator =>
  (prototype, property) => {
    FORMS[type.form]?.()(prototype, property);
    IsOptional()(prototype, property);
    for (const check of type.checks) decoratorOf(check, type)(prototype, property);
  };

const FORMS: Readonly<Record<ValueType<unknown>['form'], (() => PropertyDecorator) | null>> = {
  text: null,
  json: JsonText,
  'json-or-null': JsonOrNull,
  'json-or-text': JsonOrText,
};

const KINDS = { boolean: IsBoolean, integer: IsInt, string: IsString } as const;

function decoratorOf(check: Check, { words = {} }: ValueType<unknown>): PropertyDecorator {
  if ('is' in check) return KINDS[check.is]();
  if ('min' in check) return Min(check.min);
  if ('max' in check) return Max(check.max);
  if ('maxLength' in check) return MaxLength(check.maxLength);
  if ('among' in check) return IsIn([...check.among]);
  const { name, test, complaint } = check;
  const validate = (value: unknown): boolean =>
    (typeof value === 'string' && Object.hasOwn(words, value)) || test(value);
  return ValidateBy({ name, validator: { validate, defaultMessage: () => `$property is not ${complaint}` } });
}
