import { refuse } from '../../../platform/kernel/deciding.js';
import type { Json } from '../../../platform/kernel/json.js';

/** A payload, or a part of it. Fields are named by their path: `repository.owner.login`, `commits.0.id`. */
export class Payload {
  constructor(
    readonly json: Json,
    private readonly at = '',
  ) {}

  /** undefined if there is no such field; null is a value. */
  find(path: string): Json | undefined {
    let found: Json | undefined = this.json;
    for (const step of path.split('.')) {
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
      found = Array.isArray(found) ? found[Number(step)] : found[step];
    }
    return found;
  }

  /** The text of a field; empty if it is missing or of another type. */
  maybe(path: string): string {
    const found = this.find(path);
    return typeof found === 'string' ? found : '';
  }

  /** @throws DomainError PAYLOAD_FIELD_MISSING */
  text(path: string): string {
    const found = this.find(path);
    return typeof found === 'string' ? found : this.refuse(path, 'a text');
  }

  /** @throws DomainError PAYLOAD_FIELD_MISSING */
  number(path: string): number {
    const found = this.find(path);
    return typeof found === 'number' ? found : this.refuse(path, 'a number');
  }

  isTrue(path: string): boolean {
    return this.find(path) === true;
  }

  has(path: string): boolean {
    return (this.find(path) ?? null) !== null;
  }

  /** @throws DomainError PAYLOAD_FIELD_MISSING */
  list(path: string): readonly Payload[] {
    const found = this.find(path);
    if (!Array.isArray(found)) return this.refuse(path, 'a list');
    return found.map((item, index) => new Payload(item, `${this.at}${path}.${index}.`));
  }

  /** The items of a list; none if it is missing or of another type. */
  items(path: string): readonly Payload[] {
    return Array.isArray(this.find(path)) ? this.list(path) : [];
  }

  /** Names and texts of an object's fields, such as labels. */
  texts(path: string): readonly (readonly [name: string, value: string])[] {
    const found = this.find(path);
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return [];
    return Object.entries(found).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  }

  private refuse(path: string, kind: string): never {
    refuse('PAYLOAD_FIELD_MISSING', { field: `${this.at}${path}`, kind });
  }
}
