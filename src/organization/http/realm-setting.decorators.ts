import { IsOptional, ValidateBy } from 'class-validator';
import { JsonOrNull, JsonOrText, JsonText } from '../../http/parameters/parameter-decorators.js';
import { all, MAX_NUMBER, NumberFrom } from '../../http/parameters/setting.decorators.js';

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
