import type { Rule } from '../parameters/describe-invalid.js';
import type { PlannedParameter } from '../parameters/parameter-plan.js';

/** The part of JSON Schema that the checks of parameters translate to. */
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

type Translation = (limits: readonly unknown[]) => ParameterSchema;

const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  isString: () => ({ type: 'string' }),
  isEmail: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isIn: ([values]) => (Array.isArray(values) ? { enum: [...values] } : {}),
  min: ([minimum]) => ({ minimum: Number(minimum) }),
  max: ([maximum]) => ({ maximum: Number(maximum) }),
  minLength: ([minLength]) => ({ minLength: Number(minLength) }),
  maxLength: ([maxLength]) => ({ maxLength: Number(maxLength) }),
  arrayMinSize: ([minItems]) => ({ minItems: Number(minItems) }),
  arrayMaxSize: ([maxItems]) => ({ maxItems: Number(maxItems) }),
};

/** The values that the checks of a parameter allow. A check without a translation is left out. */
export function schemaOf({ form, rules }: PlannedParameter): ParameterSchema {
  const own = translate(rules.filter((rule) => !rule.each));
  const items = translate(rules.filter((rule) => rule.each));
  if (own.type === 'array' || Object.keys(items).length > 0) return { ...own, type: 'array', items };
  const schema: ParameterSchema = form.startsWith('text') ? { type: 'string', ...own } : own;
  return form.endsWith('-or-null') ? { ...schema, nullable: true } : schema;
}

function translate(rules: readonly Rule[]): ParameterSchema {
  return Object.assign({}, ...rules.map((rule) => TRANSLATIONS[rule.name ?? '']?.(rule.constraints ?? []) ?? {}));
}
