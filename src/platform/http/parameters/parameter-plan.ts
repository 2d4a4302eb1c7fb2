import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes, validateSync } from 'class-validator';
import { refuse } from '../../kernel/domain-error.js';
import type { Json } from '../../kernel/json.js';
import { describeInvalid, type Rule } from './describe-invalid.js';
import { parseJsonOrText, parseJsonParameter } from './json-value.js';
import type { ParameterBag } from './parameter-bag.js';
import { ParameterChecks } from './parameter-checks.js';
import { declaredParameter, declaredProperties, type ParameterForm } from './parameter-decorators.js';

export type ParametersClass<T extends object = object> = new () => T;

export interface PlannedParameter {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly form: ParameterForm;
  /** Converts the value, as declared. */
  readonly convert: (value: Json) => unknown;
  readonly required: boolean;
  /** The property's rules of class-validator. */
  readonly rules: readonly Rule[];
}

/** The declarations of a parameters class's decorators, computed once. */
export class ParameterPlan<T extends object = object> {
  /** In the order of declaration. */
  readonly parameters: readonly PlannedParameter[];
  readonly names: ReadonlySet<string>;
  private readonly checks: ParameterChecks | null;

  constructor(readonly type: ParametersClass<T>) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    const names = new Set([...rules.map((rule) => rule.propertyName), ...declaredProperties(type.prototype)]);
    this.parameters = [...names].map((name) => {
      const own = rules.filter((rule) => rule.propertyName === name);
      return { name, ...declaredParameter(type.prototype, name), required: !own.some(isOptional), rules: own };
    });
    this.names = new Set(this.parameters.flatMap(({ name, aliases }) => [name, ...aliases]));
    this.checks = ParameterChecks.of(type.name, rules);
  }

  /** @throws DomainError REQUEST_VARIABLE_MISSING, INVALID_JSON, INVALID_PARAMETER: for the first wrong parameter */
  read(bag: ParameterBag): T {
    const values: Record<string, unknown> = {};
    for (const parameter of this.parameters) {
      const value = readValue(parameter, bag);
      if (value !== undefined) values[parameter.name] = parameter.convert(withoutListsInLists(parameter, value));
      else if (parameter.required) refuse('REQUEST_VARIABLE_MISSING', { var_name: parameter.name });
    }
    if (this.checks) {
      const flat = Object.assign(new this.type(), values);
      if (this.checks.pass(flat)) return flat;
    }
    const instance = plainToInstance(this.type, values);
    const errors = validateSync(instance, { forbidUnknownValues: false });
    if (errors.length > 0) {
      const order = this.parameters.map(({ name }) => name);
      refuse('INVALID_PARAMETER', { description: describeInvalid(order, errors) });
    }
    return instance;
  }
}

const plans = new WeakMap<ParametersClass, ParameterPlan>();

export function planOf<T extends object>(type: ParametersClass<T>): ParameterPlan<T> {
  let plan = plans.get(type);
  if (!plan) {
    plan = new ParameterPlan(type);
    plans.set(type, plan);
  }
  return plan as ParameterPlan<T>;
}

/** Refuses a list among the items of a list of objects. The library would take the inner list's items for objects. */
function withoutListsInLists({ name, rules }: PlannedParameter, value: Json): Json {
  const isOfObjects = rules.some(({ type, each }) => type === ValidationTypes.NESTED_VALIDATION && each);
  const inner = isOfObjects && Array.isArray(value) ? value.findIndex(Array.isArray) : -1;
  return inner < 0 ? value : refuse('INVALID_PARAMETER', { description: `${name}[${inner}] is not an object` });
}

function isOptional(rule: Rule): boolean {
  return rule.type === ValidationTypes.CONDITIONAL_VALIDATION;
}

function readValue(parameter: PlannedParameter, bag: ParameterBag): Json | undefined {
  const text = readText(parameter, bag);
  if (text === undefined) return undefined;
  if (text === null) return isNullable(parameter.form) ? null : undefined;
  if (parameter.form === 'text') return text;
  if (parameter.form === 'text-or-null') return text === 'null' ? null : text;
  if (parameter.form === 'json-or-text') return parseJsonOrText(parameter.name, text);
  const value = parseJsonParameter(parameter.name, text);
  return value === null && !isNullable(parameter.form) ? undefined : value;
}

/** Whether null is a value. For other parameters it means that they are left out. */
const isNullable = (form: ParameterForm): boolean => form.endsWith('-or-null');

function readText({ name, aliases }: PlannedParameter, bag: ParameterBag): string | null | undefined {
  const own = bag.get(name);
  if (typeof own === 'string' || aliases.length === 0) return own;
  for (const alias of aliases) {
    const text = bag.get(alias);
    if (typeof text === 'string') return text;
  }
  return own;
}
