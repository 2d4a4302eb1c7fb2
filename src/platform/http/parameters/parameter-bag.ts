import { refuse } from '../../kernel/deciding.js';
import { visibleName } from '../client-name.js';

/**
 * A request's parameters by name, as the raw strings sent; null for JSON's null. In the order of arrival; the last value
 * of a name wins.
 */
export type ParameterBag = ReadonlyMap<string, string | null>;

/** More than any endpoint takes: requests with more names are attacks on memory. */
export const MAX_PARAMETERS = 1000;

export class BagBuilder {
  readonly bag = new Map<string, string | null>();

  /** @throws DomainError for too many parameters, and for a null byte, which no parameter may hold */
  set(name: string, value: string | null): void {
    if (this.bag.size >= MAX_PARAMETERS && !this.bag.has(name)) {
      refuse('MALFORMED_REQUEST', { description: `Too many parameters (limit: ${MAX_PARAMETERS})` });
    }
    if (value?.includes('\0') || name.includes('\0')) {
      refuse('INVALID_PARAMETER', { description: `${visibleName(name)} must not contain null bytes` });
    }
    this.bag.set(name, value);
  }
}
