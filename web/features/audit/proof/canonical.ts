export type Json = string | number | boolean | null | readonly Json[] | Values;

export interface Values {
  readonly [name: string]: Json;
}

/** Writes JSON canonically (RFC 8785). Half a surrogate pair is written as its escape. */
export function canonical(value: Json | undefined): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

export const isSame = (one: Json, other: Json | undefined): boolean => canonical(one) === canonical(other);

/** The members of an object; none of anything else. */
export const valuesIn = (value: Json | undefined): Values =>
  typeof value !== 'object' || value === null || isList(value) ? {} : value;

/** `Array.isArray` does not know lists that cannot be changed. */
const isList = (value: object): value is readonly Json[] => Array.isArray(value);
