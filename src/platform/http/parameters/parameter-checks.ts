import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';
import type { Rule } from './describe-invalid.js';

interface Check {
  readonly rule: Rule;
  readonly constraints: readonly ValidatorConstraintInterface[];
}

/** The rules of one property. */
interface PropertyChecks {
  readonly name: string;
  /** The checks apply only if all conditions hold. */
  readonly conditions: readonly Rule[];
  readonly checks: readonly Check[];
}

/**
 * Calls class-validator's rules of a flat class one by one. For each object, the library itself looks the rules up anew
 * and prepares to describe errors, which costs several times as much as the checks.
 */
export class ParameterChecks {
  private constructor(
    private readonly typeName: string,
    private readonly properties: readonly PropertyChecks[],
  ) {}

  /** null if rules concern nested objects, or are of a kind that is left to the library. */
  static of(typeName: string, rules: readonly Rule[]): ParameterChecks | null {
    const properties = new Map<string, { name: string; conditions: Rule[]; checks: Check[] }>();
    for (const rule of rules) {
      const name = rule.propertyName;
      const property = properties.get(name) ?? { name, conditions: [], checks: [] };
      properties.set(name, property);
      if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION) {
        property.conditions.push(rule);
        continue;
      }
      if (rule.type !== ValidationTypes.CUSTOM_VALIDATION || rule.validateIf || rule.groups?.length > 0) return null;
      const constraints = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
      if (constraints.some((constraint) => constraint.async)) return null;
      property.checks.push({ rule, constraints: constraints.map(({ instance }) => instance) });
    }
    return new ParameterChecks(typeName, [...properties.values()]);
  }

  /** Whether the object passes all checks. The library describes the mistakes of one that does not. */
  pass(object: object): boolean {
    const values = object as Readonly<Record<string, unknown>>;
    return this.properties.every(({ name, conditions, checks }) => {
      const value = values[name];
      if (!conditions.every((condition) => condition.constraints[0](object, value))) return true;
      return checks.every((check) => this.passes(check, object, value));
    });
  }

  private passes({ rule, constraints }: Check, object: object, value: unknown): boolean {
    const { propertyName: property, constraints: limits } = rule;
    const about = { targetName: this.typeName, property, object, value, constraints: limits };
    const items = rule.each && Array.isArray(value) ? value : [value];
    return constraints.every((constraint) => items.every((item) => constraint.validate(item, about)));
  }
}
