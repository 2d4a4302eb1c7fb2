import type { MetadataStorage, ValidationArguments, ValidatorConstraintInterface } from 'class-validator';

/** A rule as class-validator's decorators declare it. */
export type Declaration = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];
type Limits = readonly unknown[];

/** The part of JSON Schema that the rules of parameters translate to. */
export interface ParameterSchema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: ParameterSchema;
  nullable?: true;
}

/** What a rule of class-validator means to clients. */
interface Meaning {
  /** Follows the parameter's name. null: any other value than the allowed ones is just invalid. */
  readonly complaint: ((limits: Limits) => string) | null;
  readonly schema?: (limits: Limits) => ParameterSchema;
}

const typed = (complaint: string, type?: ParameterSchema['type']): Meaning => ({
  complaint: () => complaint,
  ...(type && { schema: () => ({ type }) }),
});

type Keyword = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

const limited = (keyword: Keyword, complaint: (limit: unknown) => string): Meaning => ({
  complaint: ([limit]) => complaint(limit),
  schema: ([limit]) => ({ [keyword]: Number(limit) }),
});

const CHOICE: Meaning = { complaint: null };

/** More are no help. */
const MOST_NAMED = 20;

const choices = (values: unknown): string =>
  Array.isArray(values) && values.length <= MOST_NAMED
    ? `must be one of ${values.map((value) => String(value) || '""').join(', ')}`
    : 'is none of its values';

/** The rules' meanings by name, most telling first: a value's type comes before its size. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['isArray', typed('is not a list', 'array')],
  ['isInt', typed('is not an integer', 'integer')],
  ['isNumber', typed('is not a number', 'number')],
  ['isString', typed('is not a string', 'string')],
  ['isBoolean', typed('is not a boolean', 'boolean')],
  ['isObject', typed('is not an object', 'object')],
  ['isNotEmpty', typed('cannot be blank')],
  ['arrayNotEmpty', typed('cannot be empty')],
  ['isEmail', typed('is not a valid email address', 'string')],
  ['isUrl', typed('is not a URL')],
  ['isPositive', typed('is too small')],
  ['min', limited('minimum', (limit) => `is too small (minimum: ${limit})`)],
  ['max', limited('maximum', (limit) => `is too large (maximum: ${limit})`)],
  ['minLength', limited('minLength', (limit) => `is too short (minimum: ${limit} characters)`)],
  ['maxLength', limited('maxLength', (limit) => `is too long (limit: ${limit} characters)`)],
  ['isLength', { complaint: ([least, most]) => `must have ${least} to ${most} characters` }],
  ['arrayMinSize', limited('minItems', (limit) => `has too few items (minimum: ${limit})`)],
  ['arrayMaxSize', limited('maxItems', (limit) => `has too many items (limit: ${limit})`)],
  [
    'isIn',
    {
      complaint: ([values]) => choices(values),
      schema: ([values]) => (Array.isArray(values) ? { enum: [...values] } : {}),
    },
  ],
  ['matches', CHOICE],
  ['equals', CHOICE],
]);

const NAMES = [...MEANINGS.keys()];

/** A check of one property that a decorator of class-validator declared. */
export class ParameterRule {
  readonly name: string;
  /** Whether the rule is for each item of a list. */
  readonly each: boolean;
  /** Of several broken rules, the one of the lowest rank is described. A rule with its own `message` comes first. */
  readonly rank: number;
  private readonly meaning: Meaning | undefined;

  constructor(
    private readonly declaration: Declaration,
    private readonly constraint: ValidatorConstraintInterface,
  ) {
    const { name, type, each, message } = declaration;
    this.name = name ?? type;
    this.each = Boolean(each);
    this.meaning = MEANINGS.get(this.name);
    this.rank = message ? -1 : this.meaning?.complaint ? NAMES.indexOf(this.name) : NAMES.length;
  }

  passes(value: unknown, object: object): boolean {
    const about = this.about(value, object);
    if (!this.each || !Array.isArray(value)) return this.allows(value, about);
    return value.every((item: unknown) => this.allows(item, about));
  }

  /**
   * Describes the mistake in one sentence: `num_before is not an integer`, `alert_words[0] is too long (limit: 100
   * characters)`.
   * @param path the place of the value, which breaks the rule
   */
  describe(path: string, value: unknown, object: object): string {
    const about = this.about(value, object);
    const { message } = this.declaration;
    if (message) return textOf(message, about);
    const at = this.each && Array.isArray(value) ? path + this.firstWrong(value, about) : path;
    if (value === undefined) return `${at} is missing`;
    if (this.meaning?.complaint) return `${at} ${this.meaning.complaint(about.constraints)}`;
    // A rule without a message has an empty text.
    const text = this.meaning ? '' : textOf(this.constraint.defaultMessage?.(about) ?? '', about);
    return text || `Invalid ${at}`;
  }

  get schema(): ParameterSchema {
    return this.meaning?.schema?.(this.declaration.constraints ?? []) ?? {};
  }

  private allows(item: unknown, about: ValidationArguments): boolean {
    return Boolean(this.constraint.validate(item, about));
  }

  private firstWrong(items: readonly unknown[], about: ValidationArguments): string {
    return `[${items.findIndex((item) => !this.allows(item, about))}]`;
  }

  private about(value: unknown, object: object): ValidationArguments {
    const { propertyName: property, constraints = [] } = this.declaration;
    return { targetName: object.constructor.name, property, object, value, constraints };
  }
}

type Message = string | ((about: ValidationArguments) => string);

/** Replaces class-validator's placeholders. */
function textOf(message: Message, about: ValidationArguments): string {
  const text = typeof message === 'string' ? message : message(about);
  return text
    .replace(/\$constraint(\d+)/g, (_, number: string) => String(about.constraints[Number(number) - 1]))
    .replaceAll('$property', about.property);
}
