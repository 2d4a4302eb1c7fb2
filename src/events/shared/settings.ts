import { flag, isOfType, type ValueType } from '../../platform/kernel/value-type.js';

/** One setting: a row of a table. Checks, defaults and parameters all follow from it. */
export interface SettingRow<Value = unknown> {
  readonly type: ValueType<Value>;
  /** The value until one is chosen. */
  readonly default: Value;
}

/** The column of a row whose setting older clients know as a flag. */
export interface KnownOlder {
  readonly older?: OlderFlag;
}

/** A flag and the values that it stands for. Clients get `true` for every value except that of `false`. */
export interface OlderFlag {
  readonly name: string;
  readonly true: unknown;
  readonly false: unknown;
}

type Rows<Row> = Readonly<Record<string, Row>>;

type ValueOf<Row extends { readonly type: ValueType<unknown> }> =
  Row['type'] extends ValueType<infer Value> ? Value : never;

/** The values of a table's settings by their names. */
export type ValuesOf<Table extends Rows<{ readonly type: ValueType<unknown> }>> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

/** A table in which each default is of its row's type, and no row has a column that the table does not know. */
type Sound<Table extends Rows<SettingRow>, Row> = {
  readonly [Name in keyof Table]: { readonly default: ValueOf<Table[Name]> } & {
    readonly [Unknown in Exclude<keyof Table[Name], keyof Row>]: never;
  };
};

/**
 * A table of settings: `settingsTable<SettingRow>()({ send_welcome_emails: { type: flag, default: true } })`.
 * @throws TypeError if a row has no check, or its default fails one
 */
export const settingsTable =
  <Row extends SettingRow>() =>
  <const Table extends Rows<Row>>(rows: Table & Sound<Table, Row>): Table => {
    for (const [name, { type, default: value }] of Object.entries<SettingRow>(rows)) {
      if (type.checks.length === 0) throw new TypeError(`the setting ${name} has no check`);
      if (!isOfType(value, type)) throw new TypeError(`the default of the setting ${name} fails its own check`);
    }
    return rows;
  };

export const namesOf = <Table extends object>(table: Table): readonly (keyof Table & string)[] =>
  Object.keys(table) as (keyof Table & string)[];

/** The table with its rows in alphabetical order. */
export const inAlphabet = <Table extends object>(table: Table): Table =>
  Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1))) as Table;

/** A value for each setting of a table, computed from its name. */
export const eachOf = <Name extends string, Value>(
  table: Readonly<Record<Name, unknown>>,
  value: (name: Name) => Value,
): Readonly<Record<Name, Value>> =>
  Object.fromEntries(namesOf(table).map((name) => [name, value(name)])) as Record<Name, Value>;

export const defaultsOf = <Table extends Rows<SettingRow>>(table: Table): ValuesOf<Table> =>
  eachOf(table, (name) => table[name]?.default) as ValuesOf<Table>;

/** The parameters sent that are settings of the table. */
export const sentOf = <Sent extends object, Name extends keyof Sent & string>(
  table: Readonly<Record<Name, unknown>>,
  parameters: Sent,
): Partial<Pick<Sent, Name>> => {
  const sent: Partial<Pick<Sent, Name>> = {};
  for (const name of namesOf(table)) if (parameters[name] !== undefined) sent[name] = parameters[name];
  return sent;
};

/** Rows for the flags of older clients, which still send them. */
export const olderFlagsOf = (
  table: Rows<SettingRow & KnownOlder>,
): Readonly<Record<string, Pick<SettingRow<boolean>, 'type'>>> =>
  Object.fromEntries(Object.values(table).flatMap(({ older }) => (older ? [[older.name, { type: flag }]] : [])));

/** The names of a table's flags of older clients. */
export type OlderName<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly older: { readonly name: infer Older extends string } }
    ? Older
    : never;
}[keyof Table];

/** A setting's value as the flag of older clients; empty if the setting has none. */
export function olderFlags<Table extends Rows<SettingRow & KnownOlder>>(
  table: Table,
  setting: keyof Table,
  value: unknown,
): readonly (readonly [OlderName<Table>, boolean])[] {
  const older = table[setting]?.older;
  return older ? [[older.name as OlderName<Table>, value !== older.false]] : [];
}
