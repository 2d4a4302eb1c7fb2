import type { Json } from '../../kernel/json.js';

/** How a property's raw string becomes its value. */
export type ParameterForm = 'text' | 'json' | 'json-or-null' | 'json-or-text';

export interface DeclaredParameter {
  readonly form: ParameterForm;
  readonly aliases: readonly string[];
  readonly become: (value: Json) => unknown;
}

const declared = new WeakMap<object, Map<string, DeclaredParameter>>();

const PLAIN: DeclaredParameter = { form: 'text', aliases: [], become: (value) => value };

function declare(change: (before: DeclaredParameter) => DeclaredParameter): PropertyDecorator {
  return (prototype, property) => {
    const table = declared.get(prototype) ?? new Map<string, DeclaredParameter>();
    table.set(String(property), change(table.get(String(property)) ?? PLAIN));
    declared.set(prototype, table);
  };
}

/** The parameter is JSON text: integers, booleans, lists, objects. The text `null` is the same as leaving it out. */
export const JsonText = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json' }));

/** The same, but that `null` is a value: no limit, none. */
export const JsonOrNull = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json-or-null' }));

/** The parameter is a JSON string, integer or list, or else bare text: `to`. */
export const JsonOrText = (): PropertyDecorator => declare((before) => ({ ...before, form: 'json-or-text' }));

/** The value is made from what was sent: an older or a shorter way of saying the same. */
export const MadeFrom = (become: (value: Json) => unknown): PropertyDecorator =>
  declare((before) => ({ ...before, become }));

/** Another name that clients send it under; the property's own name wins. */
export const Alias = (...names: string[]): PropertyDecorator =>
  declare((before) => ({ ...before, aliases: [...before.aliases, ...names] }));

/** As declared on the class or inherited. */
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
