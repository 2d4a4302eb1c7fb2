import { v5 } from 'uuid';

const NAMESPACE = '5f0b3f0c-3c1e-5d2a-9a55-4d9f0f4a7c11';

/** The same parts give the same UUID, on any process and after any restart; other parts give another. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return v5(JSON.stringify(parts), NAMESPACE);
}
