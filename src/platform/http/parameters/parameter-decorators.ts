import type { Json } from '../../kernel/json.js';

/** The way from a property's raw string to its value. */
export type ParameterForm = 'text' | 'text-or-null' | 'json' | 'json-or-null' | 'json-or-text';

export interface DeclaredParameter {
  readonly form: ParameterForm;
  readonly aliases: readonly string[];
  readonly convert: (value: Json) => unknown;
}

const declared = new WeakMap<object, Map<string, DeclaredParameter>>();

const PLAIN: DeclaredParameter = { form: 'text', aliases: [], convert: (value) => value };

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

/** The value is converted from the one sent, which may be an older or a shorter form. */
export const MadeFrom = (convert: (value: Json) => unknown): PropertyDecorator =>
  declare((before) => ({ ...before, convert }));

/** Other names of the parameter that clients send. The property's own name wins. */
export const Alias = (...names: string[]): PropertyDecorator =>
  declare((before) => ({ ...before, aliases: [...before.aliases, ...names] }));

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
