import 'reflect-metadata';
import { Transform } from 'class-transformer';

export type CommandName =
  | 'start'
  | 'api'
  | 'projections'
  | 'status'
  | 'rebuild'
  | 'grant'
  | 'user'
  | 'channel'
  | 'invite'
  | 'why'
  | 'log'
  | 'audit'
  | 'key'
  | 'prove'
  | 'verify'
  | 'copy'
  | 'backup'
  | 'restore';

/** A row of the table of settings: source, meaning and range of a value. */
export interface Setting {
  /** Name of the environment variable. */
  readonly environment: string;
  /** Flag as commander writes it: `--port <number>`. The flag wins over the environment. */
  readonly flag: string;
  readonly about: string;
  /** Text after "must be" when a value is refused. */
  readonly allowed: string;
  /** Default as it would be typed; null: the setting has its own meaning if it is left out, which `about` says. */
  readonly default: string | null;
  /** Commands that take the setting. */
  readonly commands: readonly CommandName[];
  /** True if messages must not repeat the value. */
  readonly secret?: boolean;
}

const tables = new WeakMap<object, Map<string, Setting>>();

/** Declares a property as a setting. `parse` converts its text; validators of class-validator stand beside it. */
export function FromSetting(setting: Setting, parse: (text: string) => unknown = String): PropertyDecorator {
  return (target, property) => {
    const table = tables.get(target) ?? new Map<string, Setting>();
    table.set(String(property), setting);
    tables.set(target, table);
    Transform(({ value }) => (value === null ? null : parse(value)))(target, property);
  };
}

/** Gives the settings of a class by property, in the order of declaration; those that it inherits come last. */
export function settingsOf<T extends object>(type: new () => T): ReadonlyMap<keyof T & string, Setting> {
  const all = new Map<string, Setting>();
  for (let at: object | null = type.prototype; at !== null; at = Object.getPrototypeOf(at))
    for (const [property, setting] of tables.get(at) ?? []) all.set(property, setting);
  return all as ReadonlyMap<string, Setting> as ReadonlyMap<keyof T & string, Setting>;
}

/** Variable that names a file with the value; null unless the value is secret. */
export const fileVariable = ({ environment, secret }: Setting): string | null =>
  secret ? `${environment}_FILE` : null;

/** `--data-dir <folder>` → `--data-dir` */
export const flagName = (setting: Setting): string => setting.flag.split(' ')[0] ?? setting.flag;

/** Reads a setting that is a whole number. NaN is refused by the checks of every number. */
export const wholeNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

/** Reads a setting that is true or false. Another text is refused by `IsIn`. */
export const trueOrFalse = (text: string): boolean | string =>
  text === 'true' || text === 'false' ? text === 'true' : text;
