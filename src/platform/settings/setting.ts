import { originIn } from './addresses.js';

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

export const THAT_ANSWER_CLIENTS: readonly CommandName[] = ['start', 'api'];
export const THAT_LISTEN: readonly CommandName[] = ['start', 'api', 'projections'];

interface Words {
  /** Name of the environment variable. */
  readonly environment: string;
  readonly about: string;
  /** Commands that take the setting. */
  readonly commands: readonly CommandName[];
  /** True if messages must not repeat the value. */
  readonly secret?: true;
}

/** A row of the table of settings: source, meaning and range of a value. */
export interface Setting<Value = unknown> extends Words {
  /** Flag as commander writes it: `--port <number>`. The flag wins over the environment. */
  readonly flag: string;
  /** Text after "must be" when a value is refused. */
  readonly allowed: string;
  /** Default as it would be typed; null: the setting has its own meaning if it is left out, which `about` says. */
  readonly default: string | null;
  /** Converts a text; undefined: the text is refused. */
  readonly read: (text: string) => Value | undefined;
}

type Rows = Readonly<Record<string, Setting>>;

/** The values of the settings of a table, by name. */
export type ConfigOf<Table extends Rows> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** A value that Nest injects. */
export type Injected = readonly [token: symbol | (new (...parts: never[]) => object), value: object];

/** The settings of a feature. Its declaration names them, and `app/config/config.ts` lists their rows. */
export interface FeatureSettings<Table extends Rows = Rows> {
  readonly rows: Table;
  /** Makes the values that the feature's parts are given. */
  injected(values: ConfigOf<Table> & { readonly dataDirectory: string }): readonly Injected[];
}

/** Declares the settings of a feature; `injected` learns the types of their values from the rows. */
export const featureSettings = <Table extends Rows>(
  rows: Table,
  injected: FeatureSettings<Table>['injected'] = () => [],
): FeatureSettings<Table> => ({ rows, injected });

type Row<Default> = Words & { readonly default: Default };
type RowInWords<Default> = Row<Default> & Pick<Setting, 'allowed'> & { readonly takes: string };

/** Declares a setting of any kind. `takes` stands in the flag for the value. */
export const setting = <Value, Default extends string | null>({
  takes,
  ...row
}: RowInWords<Default> & Pick<Setting<Value>, 'read'>): Setting<Value | Extract<Default, null>> => ({
  ...row,
  flag: `--${row.environment
    .replace(/^ANNALS_/, '')
    .replaceAll('_', '-')
    .toLowerCase()} <${takes}>`,
});

export const text = <Default extends string | null>({
  isValid,
  ...row
}: RowInWords<Default> & { readonly isValid: (text: string) => boolean }) =>
  setting({ ...row, read: (given) => (isValid(given) ? given : undefined) });

interface WholeNumberRow extends Row<number>, Partial<Pick<RowInWords<number>, 'takes' | 'allowed'>> {
  readonly range: readonly [from: number, to: number];
}

export const wholeNumber = ({ range: [from, to], ...row }: WholeNumberRow): Setting<number> => {
  const isInRange = (number: number): boolean => number >= from && number <= to;
  return setting({
    takes: 'number',
    allowed: `a whole number from ${from} to ${to}`,
    ...row,
    default: `${row.default}`,
    read: (given) => (/^\d{1,15}$/.test(given) && isInRange(Number(given)) ? Number(given) : undefined),
  });
};

export const trueOrFalse = (row: Row<boolean>): Setting<boolean> =>
  setting({
    ...row,
    takes: 'true|false',
    allowed: 'true or false',
    default: `${row.default}`,
    read: (given) => (given === 'true' || given === 'false' ? given === 'true' : undefined),
  });

/** A file that need not be named. */
export const file = (row: Omit<Row<null>, 'default'>): Setting<string | null> =>
  text({ ...row, takes: 'file', allowed: 'the path of a file', default: null, isValid: (path) => /\S/.test(path) });

/** A URL without a path. */
export const origin = <Default extends string | null>(row: Row<Default> & Pick<Setting, 'allowed'>) =>
  setting({ ...row, takes: 'url', read: originIn });

/** Variable that names a file with the value; null unless the value is secret. */
export const fileVariable = ({ environment, secret }: Setting): string | null =>
  secret ? `${environment}_FILE` : null;

/** `--data-dir <folder>` → `--data-dir` */
export const flagName = ({ flag }: Setting): string => flag.split(' ')[0] ?? flag;
