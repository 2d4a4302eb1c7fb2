import { v5 } from 'uuid';

const NAMESPACE = '5f0b3f0c-3c1e-5d2a-9a55-4d9f0f4a7c11';

/** A UUID derived from the parts: the same in every process and after every restart. Other parts give another UUID. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return v5(JSON.stringify(parts), NAMESPACE);
}
