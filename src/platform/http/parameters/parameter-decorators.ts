import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import type { Json } from '../../kernel/json.js';
import { LAST_SECOND, NAMED_TIMES, namedTime } from '../../kernel/named-time.js';
import { type Check, MAX_NUMBER, type ValueType } from '../../kernel/value-type.js';

/** The way from a property's raw string to its value. */
type ParameterForm = 'text' | 'text-or-null' | 'json' | 'json-or-null' | 'json-or-text' | 'json-or-word';

export interface DeclaredParameter {
  readonly form: ParameterForm;
  readonly aliases: readonly string[];
  /** Words that are values without the quotes of JSON, too. */
  readonly words: readonly string[];
  readonly convert: (value: Json) => unknown;
}

const declared = new WeakMap<object, Map<string, DeclaredParameter>>();

const PLAIN: DeclaredParameter = { form: 'text', aliases: [], words: [], convert: (value) => value };

function declare(change: (before: DeclaredParameter) => DeclaredParameter): PropertyDecorator {
  return (prototype, property) => {
    const table = declared.get(prototype) ?? new Map<string, DeclaredParameter>();
    table.set(String(property), change(table.get(String(property)) ?? PLAIN));
    declared.set(prototype, table);
  };
}

/** The parameter is text, and `null` is a value: libraries of this API send their language's null as this text. */
export const TextOrNull = (): PropertyDecorator => declare((before) => ({ ...before, form: 'text-or-null' }));

/** The parameter is JSON text: an integer, boolean, list or object. The text `null` means that it is left out. */
export const JsonText = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json' }));

/** The parameter is JSON text, and `null` is a value, such as no limit. */
export const JsonOrNull = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json-or-null' }));

/** The parameter is a JSON string, integer or list, or else bare text: `to`. */
export const JsonOrText = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json-or-text' }));

/** The same, except that the text `null` means that the parameter is left out, as JSON's null does. */
export const JsonOrWord = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json-or-word' }));

/** The value is converted from the one sent, which may be an older or a shorter form. */
export const MadeFrom = (convert: (value: Json) => unknown): PropertyDecorator =>
  declare((before) => ({ ...before, convert }));

/** Other names of the parameter that clients send. The property's own name wins. */
export const Alias = (...names: string[]): PropertyDecorator =>
  declare((before) => ({ ...before, aliases: [...before.aliases, ...names] }));

const closed = new WeakSet<object>();

/**
 * Refuses requests with parameters that the class does not have; elsewhere these are ignored, and named in the answer. For
 * questions that would be answered wrongly without one of their conditions.
 */
export const RefusesUnknown = (): ClassDecorator => (type) => void closed.add(type);

export const refusesUnknown = (type: object): boolean => closed.has(type);

/** The declaration of a property, on the class itself or inherited. */
export function declaredParameter(prototype: object | null, property: string): DeclaredParameter {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) {
    const found = declared.get(at)?.get(property);
    if (found) return found;
  }
  return PLAIN;
}

export function declaredProperties(prototype: object | null): string[] {
  const names: string[] = [];
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) names.push(...(declared.get(at)?.keys() ?? []));
  return names;
}

/** Ids are exact as JSON numbers, and in every store. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The most ids in one list. */
const MAX_IDS = 20_000;

/**
 * An id of a channel, a user, a message or another thing. Takes ids that nothing can have: endpoints have words of their
 * own for what does not exist.
 */
export const IsId = (): PropertyDecorator => applyDecorators(IsInt(), Min(-MAX_ID), Max(MAX_ID));

/** A list of ids. Takes ids that nothing can have, as `IsId` does. */
export const AreIds = ({ least = -MAX_ID, most = MAX_IDS } = {}): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(most),
    IsInt({ each: true }),
    Min(least, { each: true }),
    Max(MAX_ID, { each: true }),
  );

/** A number of things that the client asks for. Endpoints may have a lower limit, with words of their own. */
export const IsCount = (): PropertyDecorator => applyDecorators(IsInt(), Min(0), Max(MAX_NUMBER));

/** A time in whole seconds since 1970, up to the end of the year 9999. */
export const IsSecond = (): PropertyDecorator => applyDecorators(IsInt(), Min(0), Max(LAST_SECOND));

/** A time as people name it, as text. The value is a `NamedTime`. */
export const IsNamedTime = (): PropertyDecorator =>
  applyDecorators(
    MadeFrom((text) => (typeof text === 'string' ? (namedTime(text) ?? text) : text)),
    ValidateBy({
      name: 'isNamedTime',
      validator: {
        validate: (value) => Number.isSafeInteger(value?.from) && Number.isSafeInteger(value?.to),
        defaultMessage: () => `$property is no time: ${NAMED_TIMES}`,
      },
    }),
  );

/** Text; may be left out. */
export const OptionalText = (): PropertyDecorator => applyDecorators(IsOptional(), IsString());

/** An id, as a parameter. */
export const Id = (): PropertyDecorator => applyDecorators(JsonText(), IsId());

/** The same, which may be left out. */
export const OptionalId = (): PropertyDecorator => applyDecorators(Id(), IsOptional());

/** A list of ids of users or groups, as a parameter. */
export const Ids = (): PropertyDecorator => applyDecorators(JsonText(), AreIds({ least: 1 }));

/** true or false; may be left out. */
export const OptionalFlag = (): PropertyDecorator => applyDecorators(JsonText(), IsOptional(), IsBoolean());

/** The same, which may be left out. */
export const OptionalIds = (): PropertyDecorator => applyDecorators(Ids(), IsOptional());

type Types = Readonly<Record<string, { readonly type: ValueType<unknown> }>>;

/** The parameters for a table's settings, each optional. */
type SettingParameters<Rows extends Types> = {
  readonly [Name in keyof Rows]?: Rows[Name]['type'] extends ValueType<infer Value> ? Value : never;
};

/**
 * The base of a parameters class that takes every setting of a table, after the class's own parameters and its base's:
 * `class UpdateUserGroupParameters extends settingsOf(updatesOf(USER_GROUP_PERMISSIONS)) { … }`
 */
export function settingsOf<Rows extends Types, Base extends object = object>(
  rows: Rows,
  base?: new () => Base,
): new () => Base & SettingParameters<Rows> {
  const parent: new () => object = base ?? Object;
  class Settings extends parent {}
  for (const [name, { type }] of Object.entries(rows)) Sendable(type)(Settings.prototype, name);
  // The decorators have declared the properties of the type.
  return Settings as new () => Base & SettingParameters<Rows>;
}

/** An optional parameter of the type. */
export const Sendable =
  (type: ValueType<unknown>): PropertyDecorator =>
  (prototype, property) => {
    FORMS[type.form]?.()(prototype, property);
    if (type.words) declare((before) => ({ ...before, words: Object.keys(type.words ?? {}) }))(prototype, property);
    IsOptional()(prototype, property);
    for (const check of type.checks) decoratorOf(check, type)(prototype, property);
  };

const FORMS: Readonly<Record<ValueType<unknown>['form'], (() => PropertyDecorator) | null>> = {
  text: null,
  json: JsonText,
  'json-or-null': JsonOrNull,
  'json-or-text': JsonOrWord,
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
