import { ArrayMaxSize, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { JsonOrWord, MadeFrom } from '../../../platform/http/parameters/parameter-decorators.js';

/** Channels of one request; more are a mistake or an attack. */
export const MAX_CHANNELS = 1_000;
const MAX_PRINCIPALS = 20_000;

/** The items of a list, which one client library sends without JSON, joined by commas. */
function itemsOf(value: unknown): unknown {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'string' || value.trimStart().startsWith('[')) return value;
  return value.split(',');
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

const isPrincipals = (value: unknown): boolean =>
  isTexts(value) || (Array.isArray(value) && value.every((one) => Number.isSafeInteger(one)));

const INTEGERS = /^\d{1,15}(,\d{1,15})*$/;

function principalsOf(value: unknown): unknown {
  if (typeof value === 'string' && INTEGERS.test(value)) return value.split(',').map(Number);
  return itemsOf(value);
}

const namesOf = (value: unknown): unknown => {
  const items = itemsOf(value);
  return Array.isArray(items) ? items.map((item) => (typeof item === 'number' ? String(item) : item)) : items;
};

/** Channel names: a JSON list, or joined by commas. */
export const ChannelNames = (): PropertyDecorator => (prototype, property) => {
  const check = ValidateBy({
    name: 'isChannelNames',
    validator: { validate: isTexts, defaultMessage: () => '$property is not a list of channel names' },
  });
  const read = MadeFrom(namesOf);
  const decorators = [JsonOrWord(), read, IsArray(), ArrayMaxSize(MAX_CHANNELS), check];
  for (const decorate of decorators) decorate(prototype, property);
};

/** Users, all by id or all by address: a JSON list, or joined by commas. */
export const Principals = (): PropertyDecorator => (prototype, property) => {
  const check = ValidateBy({
    name: 'isPrincipals',
    validator: { validate: isPrincipals, defaultMessage: () => '$property is not a list of user IDs or of addresses' },
  });
  const read = MadeFrom(principalsOf);
  const decorators = [JsonOrWord(), IsOptional(), read, IsArray(), ArrayMaxSize(MAX_PRINCIPALS), check];
  for (const decorate of decorators) decorate(prototype, property);
};
