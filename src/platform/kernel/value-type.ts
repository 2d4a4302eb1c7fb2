/** The type of a parameter or a setting, as data. The HTTP edge derives decorators from it. */
export interface ValueType<Value> {
  /** The way from a parameter's text to its value (`parameter-decorators.ts`). */
  readonly form: 'text' | 'json' | 'json-or-null' | 'json-or-text';
  /** Applied in this order. */
  readonly checks: readonly Check[];
  /** Words that clients may send instead of a value: `unlimited` for null. Checks by a function accept them. */
  readonly words?: Readonly<Record<string, Value>>;
  /** The value until one is chosen, if clients cannot choose it. */
  readonly unchosen?: Value;
}

export type Check =
  | { readonly is: 'boolean' | 'integer' | 'string' }
  | { readonly min: number }
  | { readonly max: number }
  | { readonly maxLength: number }
  | { readonly among: readonly (number | string)[] }
  | CustomCheck;

/** A check by a function. `complaint` ends the sentence `<parameter> is not …`. */
interface CustomCheck {
  readonly name: string;
  readonly test: (value: unknown) => boolean;
  readonly complaint: string;
}

/** Larger than any useful period or limit, and exact in every store. */
export const MAX_NUMBER = 2_147_483_647;

/** `true` or `false`. */
export const flag: ValueType<boolean> = { form: 'json', checks: [{ is: 'boolean' }] };

export const text = (maxLength: number): ValueType<string> => ({
  form: 'text',
  checks: [{ is: 'string' }, { maxLength }],
});

export const integer = ({ min, max = MAX_NUMBER }: { min: number; max?: number }): ValueType<number> => ({
  form: 'json',
  checks: [{ is: 'integer' }, { min }, { max }],
});

export const oneOf = <const Word extends string>(words: readonly Word[]): ValueType<Word> => ({
  form: 'text',
  checks: [{ among: words }],
});

export const oneOfNumbers = <const Choice extends number>(choices: readonly Choice[]): ValueType<Choice> => ({
  form: 'json',
  checks: [{ is: 'integer' }, { among: choices }],
});

/** A type that one function checks. */
export const checkedBy = <Value>(
  check: CustomCheck,
  more: Partial<Omit<ValueType<Value>, 'checks'>> = {},
): ValueType<Value> => ({
  form: 'text',
  checks: [check],
  ...more,
});

/** Whether a value may be stored for this type. */
export const isOfType = (value: unknown, { checks, words = {}, unchosen }: ValueType<unknown>): boolean =>
  (unchosen !== undefined && value === unchosen) ||
  Object.values(words).includes(value) ||
  passesChecks(value, { checks });

/** Whether a client may send the value. */
export const passesChecks = (value: unknown, { checks }: Pick<ValueType<unknown>, 'checks'>): boolean =>
  checks.every((check) => passes(value, check));

function passes(value: unknown, check: Check): boolean {
  if ('is' in check) return check.is === 'integer' ? Number.isInteger(value) : typeof value === check.is;
  if ('min' in check) return Number(value) >= check.min;
  if ('max' in check) return Number(value) <= check.max;
  if ('maxLength' in check) return [...String(value)].length <= check.maxLength;
  if ('among' in check) return check.among.some((choice) => choice === value);
  return check.test(value);
}
