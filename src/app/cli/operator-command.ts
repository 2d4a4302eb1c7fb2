import { Command } from 'commander';
import type { OperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import type { CommandName } from '../../platform/settings/setting.js';
import type { Config } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import type { FieldsOf, ResultOf } from '../operations/operation.js';
import type { OperationName, Operations } from '../operations/operations.js';
import { UsageError } from './failure.js';
import { printable } from './log-entry.js';
import { operatorActOf } from './operator-act.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

/** Has an operation carried out, by a server or here. */
export type Operate = <Name extends OperationName>(
  name: Name,
  fields: FieldsOf<Operations[Name]>,
) => Promise<ResultOf<Operations[Name]>>;

/** Each of these commands can answer a program. */
export interface Json {
  readonly json?: true;
}

export interface Operating {
  readonly config: Config;
  readonly operate: Operate;
}

/** Makes a command such as `annals user`, of commands below it. */
export const groupOf = (name: CommandName, about: string, commands: readonly Command[]): Command => {
  const group = new Command(name).description(`${about} A server may be running.`);
  for (const command of commands) group.addCommand(command);
  return group;
};

/** The arguments that were typed. */
const wordsOf = ({ processedArgs }: Command): string[] =>
  processedArgs.flat().flatMap((word: unknown) => (typeof word === 'string' ? [word] : []));

/** Finds the name that an argument chose. */
export function chosen<T extends string>(names: readonly T[], word: string | undefined): T {
  const name = names.find((one) => one === word);
  if (name === undefined) throw new UsageError(`${word} must be one of ${names.join(', ')}`);
  return name;
}

/** Gives a command below `group` its settings, `--json`, and the way to the server. */
export function operating<Options extends Json>(
  command: Command,
  { group, shell }: { readonly group: CommandName; readonly shell: Shell },
  action: (options: Options, operating: Operating, words: readonly string[]) => Promise<string>,
): Command {
  command.option('--json', 'JSON, for programs').action(async () => {
    const config = readConfig(group, flagValues(command, group), shell.environment);
    const act: OperatorAct = operatorActOf(command, shell.environment);
    const { recordAct } = await import('./operate.js');
    await recordAct(config, act);
    const { operate } = await import('./operate.js');
    const ways = { config, operate: ((name, fields) => operate({ config, act }, name, fields)) satisfies Operate };
    const options = command.opts<Options>();
    const said = await action(options, ways, wordsOf(command));
    shell.output.write(options.json ? said : said.split('\n').map(printable).join('\n'));
  });
  return addSettings(command, group);
}

/** Lines of columns that are as wide as their widest value. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown
    .map(
      (row) =>
        `${row
          .map((value, at) => value.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** One JSON object a line. */
export const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
