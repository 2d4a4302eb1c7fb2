import type { ValueType } from '../../platform/kernel/value-type.js';

/** The column of a row whose setting belongs to a feature that the server does not have. */
export interface Awaited {
  /**
   * The feature, for people. The setting has its default until the feature is built: clients can send no other value,
   * and values in older logs do not count.
   */
  readonly awaits?: string;
}

/** A row that awaits a feature. Whoever builds the feature writes an ordinary row in its place. */
export const awaiting = <Value>(
  awaits: string,
  type: ValueType<Value>,
  only: Value,
): { readonly type: ValueType<Value>; readonly default: Value; readonly awaits: string } => ({
  type: {
    ...type,
    checks: [
      ...type.checks,
      {
        name: 'isOnlyValue',
        test: (value) => value === only,
        complaint: `${JSON.stringify(only)}, the only value of a server without ${awaits}`,
      },
    ],
  },
  default: only,
  awaits,
});

/** The names of a table's settings that await a feature. */
export const awaitedIn = <Name extends string>(table: Readonly<Record<Name, Awaited>>): readonly Name[] =>
  (Object.keys(table) as Name[]).filter((name) => table[name].awaits !== undefined);
