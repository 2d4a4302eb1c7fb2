import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';
import { refuse } from '../../kernel/deciding.js';
import type { Json } from '../../kernel/json.js';
import { parseJsonOrText, parseJsonParameter } from './json-value.js';
import type { ParameterBag } from './parameter-bag.js';
import {
  type DeclaredParameter,
  declaredParameter,
  declaredProperties,
  refusesUnknown,
} from './parameter-decorators.js';
import { type Declaration, ParameterRule, type ParameterSchema } from './parameter-rule.js';

export type ParametersClass<T extends object = object> = new () => T;

type Class = object['constructor'];

export interface PlannedParameter extends DeclaredParameter {
  readonly name: string;
  readonly required: boolean;
  /** The rules apply only if all conditions hold. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  /** Most telling first. */
  readonly rules: readonly ParameterRule[];
  /** Set if the value is an object, or a list of objects, of a class with rules of its own. */
  readonly nested: 'object' | 'list' | null;
  /** The values that the rules allow. A rule without a translation is left out. */
  readonly schema: ParameterSchema;
}

/** The declarations of a parameters class's decorators, or of the class of an object in a parameter. Computed once. */
class ParameterPlan {
  /** In the order of declaration. */
  readonly parameters: readonly PlannedParameter[];
  readonly names: ReadonlySet<string>;
  /** Whether no parameter is an object, or a list of objects, with a class of its own. */
  readonly isFlat: boolean;

  constructor(type: Class) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    const names = new Set([...rules.map((rule) => rule.propertyName), ...declaredProperties(type.prototype)]);
    this.parameters = [...names].map((name) => planned(type, name, rules));
    this.names = new Set(this.parameters.flatMap(({ name, aliases }) => [name, ...aliases]));
    this.isFlat = this.parameters.every(({ nested }) => nested === null);
  }

  /**
   * Calls class-validator's rules one by one. For each object, the library itself looks the rules up anew and prepares
   * to describe errors, which costs several times as much as the checks.
   */
  firstWrong(object: object): { readonly property: string; readonly mistake: Mistake } | null {
    for (const parameter of this.parameters) {
      const mistake = mistakeIn(parameter, object, Reflect.get(object, parameter.name));
      if (mistake) return { property: parameter.name, mistake };
    }
    return null;
  }
}

const plans = new WeakMap<Class, ParameterPlan>();

export function planOf(type: Class): ParameterPlan {
  let plan = plans.get(type);
  if (!plan) {
    plan = new ParameterPlan(type);
    plans.set(type, plan);
  }
  return plan;
}

/**
 * Reads the parameters of a request as an instance of their class.
 * @throws DomainError REQUEST_VARIABLE_MISSING, INVALID_JSON_PARAMETER, INVALID_PARAMETER: for the first wrong parameter
 */
export function readParameters<T extends object>(type: ParametersClass<T>, bag: ParameterBag): T {
  const plan = planOf(type);
  if (refusesUnknown(type)) refuseUnknown(bag, plan);
  const values: Record<string, unknown> = {};
  for (const parameter of plan.parameters) {
    const value = readValue(parameter, bag);
    if (value !== undefined) values[parameter.name] = parameter.convert(withoutListsInLists(parameter, value));
    else if (parameter.required) refuse('REQUEST_VARIABLE_MISSING', { var_name: parameter.name });
  }
  const instance = plan.isFlat ? Object.assign(new type(), values) : plainToInstance(type, values);
  const wrong = plan.firstWrong(instance);
  if (wrong) refuse('INVALID_PARAMETER', { description: wrong.mistake(wrong.property) });
  return instance;
}

/** @throws DomainError INVALID_PARAMETER */
function refuseUnknown(bag: ParameterBag, plan: ParameterPlan): void {
  const [name] = unknownIn(bag, plan);
  if (name === undefined) return;
  const there = [...plan.names].join(', ');
  refuse('INVALID_PARAMETER', { description: `Unknown parameter ${name}: there are ${there}` });
}

/** Names of unknown parameters that have a value, in their order. */
export function unknownIn(
  bag: ParameterBag,
  { names }: Pick<ParameterPlan, 'names'>,
  known: readonly string[] = [],
): string[] {
  return [...bag].flatMap(([name, value]) => (value === null || names.has(name) || known.includes(name) ? [] : [name]));
}

function planned(type: Class, name: string, declarations: readonly Declaration[]): PlannedParameter {
  const declared = declaredParameter(type.prototype, name);
  const own = declarations.filter(({ propertyName }) => propertyName === name);
  const conditions = own.filter(isCondition).map(({ constraints }) => constraints[0]);
  const rules = own.filter((declaration) => !isCondition(declaration)).map((declaration) => ruleOf(type, declaration));
  const nested = own.find(isNested);
  return {
    ...declared,
    name,
    required: conditions.length === 0,
    conditions,
    rules: rules.toSorted((a, b) => a.rank - b.rank),
    nested: nested ? (nested.each ? 'list' : 'object') : null,
    schema: schemaOf(declared, rules),
  };
}

const isCondition = ({ type }: Declaration): boolean => type === ValidationTypes.CONDITIONAL_VALIDATION;

const isNested = ({ type }: Declaration): boolean => type === ValidationTypes.NESTED_VALIDATION;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Checks only that the value is an object, or a list. The rules of its class are checked afterwards. */
const IS_OBJECT: ValidatorConstraintInterface = { validate: (value) => value === undefined || isObject(value) };

function ruleOf(type: Class, declaration: Declaration): ParameterRule {
  if (isNested(declaration)) return new ParameterRule({ ...declaration, each: false }, IS_OBJECT);
  const [constraint] = getMetadataStorage().getTargetValidatorConstraints(declaration.constraintCls);
  if (!constraint || constraint.async || declaration.validateIf) {
    throw new TypeError(`${type.name}.${declaration.propertyName} has a rule of a kind that parameters cannot have`);
  }
  return new ParameterRule(declaration, constraint.instance);
}

function schemaOf({ form }: DeclaredParameter, rules: readonly ParameterRule[]): ParameterSchema {
  const own = merged(rules.filter((rule) => !rule.each));
  const items = merged(rules.filter((rule) => rule.each));
  if (own.type === 'array' || Object.keys(items).length > 0) return { ...own, type: 'array', items };
  const schema: ParameterSchema = form.startsWith('text') ? { type: 'string', ...own } : own;
  return form.endsWith('-or-null') ? { ...schema, nullable: true } : schema;
}

const merged = (rules: readonly ParameterRule[]): ParameterSchema =>
  Object.assign({}, ...rules.map(({ schema }) => schema));

/** Describes a mistake in one sentence, once its place is known: `alert_words[0] is not a string`. */
type Mistake = (path: string) => string;

function mistakeIn({ conditions, rules, nested }: PlannedParameter, object: object, value: unknown): Mistake | null {
  if (!conditions.every((holds) => holds(object, value))) return null;
  const broken = rules.find((rule) => !rule.passes(value, object));
  if (broken) return (path) => broken.describe(path, value, object);
  return nested && isObject(value) ? mistakeWithin(value) : null;
}

function mistakeWithin(value: object): Mistake | null {
  if (!Array.isArray(value)) {
    const wrong = planOf(value.constructor).firstWrong(value);
    return wrong && ((path) => wrong.mistake(`${path}["${wrong.property}"]`));
  }
  for (const [index, item] of value.entries()) {
    const mistake: Mistake | null = isObject(item) ? mistakeWithin(item) : (path) => `${path} is not an object`;
    if (mistake) return (path) => mistake(`${path}[${index}]`);
  }
  return null;
}

/** Refuses a list among the items of a list of objects. The library would take the inner list's items for objects. */
function withoutListsInLists({ name, nested }: PlannedParameter, value: Json): Json {
  const inner = nested === 'list' && Array.isArray(value) ? value.findIndex(Array.isArray) : -1;
  return inner < 0 ? value : refuse('INVALID_PARAMETER', { description: `${name}[${inner}] is not an object` });
}

function readValue(parameter: PlannedParameter, bag: ParameterBag): Json | undefined {
  const text = readText(parameter, bag);
  if (text === undefined) return undefined;
  if (text === null) return isNullable(parameter) ? null : undefined;
  if (parameter.form === 'text' || parameter.words.includes(text)) return text;
  if (parameter.form === 'text-or-null') return text === 'null' ? null : text;
  if (parameter.form === 'json-or-word' && text.trim() === 'null') return undefined;
  if (parameter.form === 'json-or-text' || parameter.form === 'json-or-word')
    return parseJsonOrText(parameter.name, text);
  const value = parseJsonParameter(parameter.name, text);
  return value === null && !isNullable(parameter) ? undefined : value;
}

/** Whether null is a value. For other parameters it means that they are left out. */
const isNullable = ({ form }: DeclaredParameter): boolean => form.endsWith('-or-null');

function readText({ name, aliases }: PlannedParameter, bag: ParameterBag): string | null | undefined {
  const own = bag.get(name);
  if (typeof own === 'string' || aliases.length === 0) return own;
  for (const alias of aliases) {
    const text = bag.get(alias);
    if (typeof text === 'string') return text;
  }
  return own;
}
