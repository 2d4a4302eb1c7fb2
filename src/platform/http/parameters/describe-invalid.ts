import { getMetadataStorage, type MetadataStorage, type ValidationError } from 'class-validator';

export type Rule = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

type Phrase = (limits: readonly unknown[]) => string;

const says =
  (text: string): Phrase =>
  () =>
    text;

/** The API's wording of class-validator's checks, most telling first: a value's type comes before its size. */
const PHRASES: ReadonlyMap<string, Phrase> = new Map<string, Phrase>([
  ['isArray', says('is not a list')],
  ['isInt', says('is not an integer')],
  ['isNumber', says('is not a number')],
  ['isString', says('is not a string')],
  ['isBoolean', says('is not a boolean')],
  ['isObject', says('is not an object')],
  ['nestedValidation', says('is not an object')],
  ['isNotEmpty', says('cannot be blank')],
  ['arrayNotEmpty', says('cannot be empty')],
  ['isEmail', says('is not a valid email address')],
  ['isUrl', says('is not a URL')],
  ['isPositive', says('is too small')],
  ['min', ([limit]) => `is too small (minimum: ${limit})`],
  ['max', ([limit]) => `is too large (maximum: ${limit})`],
  ['minLength', ([limit]) => `is too short (minimum: ${limit} characters)`],
  ['maxLength', ([limit]) => `is too long (limit: ${limit} characters)`],
  ['isLength', ([least, most]) => `must have ${least} to ${most} characters`],
  ['arrayMinSize', ([limit]) => `has too few items (minimum: ${limit})`],
  ['arrayMaxSize', ([limit]) => `has too many items (limit: ${limit})`],
]);

/** Checks whose failure only means that the value is not one of the allowed ones. */
const CHOICES = new Set(['isIn', 'isEnum', 'matches', 'equals']);

/**
 * Describes the mistake in one sentence: `num_before is not an integer`, `alert_words[0] is too long (limit: 100
 * characters)`. A rule's own `message` wins.
 * @param order names of the parameters as declared: the first wrong one is described
 */
export function describeInvalid(order: readonly string[], errors: readonly ValidationError[]): string {
  const [first] = [...errors].sort((a, b) => order.indexOf(a.property) - order.indexOf(b.property));
  return first ? describe(first.property, first) : 'Invalid parameters';
}

function describe(path: string, error: ValidationError): string {
  const failed = Object.keys(error.constraints ?? {});
  const [child] = error.children ?? [];
  if (failed.length === 0 && child) return describe(`${path}${step(child.property)}`, child);
  const rules = rulesOf(error);
  const own = rules.find((rule) => rule.message && failed.includes(nameOf(rule)));
  if (own) return error.constraints?.[nameOf(own)] ?? '';
  const name = [...PHRASES.keys()].find((known) => failed.includes(known)) ?? failed[0] ?? '';
  const rule = rules.find((candidate) => nameOf(candidate) === name);
  const at = path + itemAt(rule, error.value);
  if (error.value === undefined) return `${at} is missing`;
  const phrase = PHRASES.get(name);
  if (phrase) return `${at} ${phrase(rule?.constraints ?? [])}`;
  // A rule without a message has an empty text.
  return CHOICES.has(name) ? `Invalid ${at}` : error.constraints?.[name] || `Invalid ${at}`;
}

const step = (property: string): string => (/^\d+$/.test(property) ? `[${property}]` : `["${property}"]`);

const nameOf = (rule: Rule): string => rule.name ?? rule.type;

function rulesOf({ target, property }: ValidationError): readonly Rule[] {
  if (!target || Array.isArray(target)) return [];
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', false, false)
    .filter((rule) => rule.propertyName === property);
}

/** For a rule on every item of a list: the index of the item that breaks it. */
function itemAt(rule: Rule | undefined, value: unknown): string {
  if (!rule?.each || !Array.isArray(value)) return '';
  const constraints = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  const index = value.findIndex((item: unknown) =>
    constraints.some(
      ({ instance }) =>
        !instance.validate(item, {
          value: item,
          constraints: rule.constraints,
          targetName: '',
          object: value,
          property: rule.propertyName,
        }),
    ),
  );
  return index === -1 ? '' : `[${index}]`;
}
