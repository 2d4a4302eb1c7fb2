import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { JsonOrNull, JsonOrText, JsonText } from '../../http/parameters/parameter-decorators.js';

/** Larger than any period or limit that means something, and exact wherever it is stored. */
const MAX_NUMBER = 2_147_483_647;

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };

/** `true` or `false`. */
export const Flag = (): PropertyDecorator => all(JsonText(), IsOptional(), IsBoolean());

export const Text = (limit: number): PropertyDecorator => all(IsOptional(), IsString(), MaxLength(limit));

export const WordOf = (words: readonly string[]): PropertyDecorator => all(IsOptional(), IsIn([...words]));

export const NumberOf = (numbers: readonly number[]): PropertyDecorator =>
  all(JsonText(), IsOptional(), IsInt(), IsIn([...numbers]));

export const NumberFrom = (least: number, most = MAX_NUMBER): PropertyDecorator =>
  all(JsonText(), IsOptional(), IsInt(), Min(least), Max(most));

/** A channel's id; -1: none. */
export const ChannelIdOrNone = (): PropertyDecorator => NumberFrom(-1, Number.MAX_SAFE_INTEGER);

/** Seconds, never 0; null and `"unlimited"` are no limit. */
export const Limit = (): PropertyDecorator =>
  all(JsonOrNull(), IsOptional(), isPeriod('isTimeLimit', 'a number of seconds or "unlimited"'));

/** Days, never 0; -1 and `"unlimited"` are for ever. */
export const Days = (): PropertyDecorator =>
  all(JsonText(), IsOptional(), isPeriod('isPeriodOfDays', 'a number of days or "unlimited"', [-1]));

const MAX_URL = 200;

/** `"default"` is what the server has. */
export const ServerUrl = (): PropertyDecorator =>
  all(
    JsonOrText(),
    IsOptional(),
    ValidateBy({
      name: 'isServerUrl',
      validator: { validate: isServerUrl, defaultMessage: () => '$property is not a URL' },
    }),
  );

function isPeriod(name: string, what: string, others: readonly unknown[] = []): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    value === 'unlimited' ||
    others.includes(value) ||
    (Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_NUMBER);
  return ValidateBy({ name, validator: { validate, defaultMessage: () => `$property is not ${what}` } });
}

const isServerUrl = (value: unknown): boolean =>
  value === 'default' ||
  (typeof value === 'string' && value.length <= MAX_URL && /^https?:\/\/[^\s/]/.test(value) && URL.canParse(value));
