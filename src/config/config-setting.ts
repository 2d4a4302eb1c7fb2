import 'reflect-metadata';
import { Transform } from 'class-transformer';

export type CommandName = 'start' | 'api' | 'projections' | 'rebuild' | 'grant' | 'log' | 'copy';

/** One row of the table of settings: where a value comes from, what it means, and what it may be. */
export interface Setting {
  /** Name of the environment variable. */
  readonly environment: string;
  /** As commander writes it: `--port <number>`. The flag wins over the environment. */
  readonly flag: string;
  readonly about: string;
  /** What follows "must be" when a value is refused. */
  readonly allowed: string;
  /** As it would be typed; null where leaving it out means something of its own, which `about` says. */
  readonly default: string | null;
  /** Commands that take it. */
  readonly commands: readonly CommandName[];
  /** Never repeated in a message. */
  readonly secret?: boolean;
}

const tables = new WeakMap<object, Map<string, Setting>>();

/** Declares a property as a setting. Its text is converted by `parse`; validators of class-validator stand beside it. */
export function FromSetting(setting: Setting, parse: (text: string) => unknown = String): PropertyDecorator {
  return (target, property) => {
    const table = tables.get(target) ?? new Map<string, Setting>();
    table.set(String(property), setting);
    tables.set(target, table);
    Transform(({ value }) => (value === null ? null : parse(value)))(target, property);
  };
}

/** In the order of declaration, by property. */
export function settingsOf<T extends object>(type: new () => T): ReadonlyMap<keyof T & string, Setting> {
  return (tables.get(type.prototype) ?? new Map()) as ReadonlyMap<keyof T & string, Setting>;
}

/** `--data-dir <folder>` → `--data-dir` */
export const flagName = (setting: Setting): string => setting.flag.split(' ')[0] ?? setting.flag;
