import { Command } from 'commander';
import type { CommandName } from '../../platform/settings/setting.js';
import type { Config } from '../config/config.js';
import type { FieldsOf, ResultOf } from '../operations/operation.js';
import type { OperationName, Operations } from '../operations/operations.js';
import { UsageError } from './failure.js';
import { printable } from './log-entry.js';
import { operatorActOf } from './operator-act.js';
import { addSettings, configOf } from './setting-options.js';
import type { Shell } from './shell.js';

/** Has an operation carried out, by a server or here. */
type Operate = <Name extends OperationName>(
  name: Name,
  fields: FieldsOf<Operations[Name]>,
) => Promise<ResultOf<Operations[Name]>>;

interface Operating {
  readonly config: Config;
  readonly shell: Shell;
  readonly operate: Operate;
}

/** A command that has yet to get its settings: those of the group that it belongs to, or its own. */
type Made = (shell: Shell, name: CommandName) => Command;

/** Makes a command such as `annals user`, of commands below it. */
export const groupOf =
  (name: CommandName, about: string, commands: readonly Made[]) =>
  (shell: Shell): Command => {
    const group = new Command(name).description(`${about} A server may be running.`);
    for (const command of commands) group.addCommand(command(shell, name));
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

/** Gives a command its settings, `--json`, and the way to the server. @param act answers a program, and people */
export const operating =
  <Options extends object>(
    build: () => Command,
    act: (
      operating: Operating,
      words: readonly string[],
      options: Options,
    ) => Promise<readonly [answer: object | readonly object[], text: string]>,
  ): Made =>
  (shell, name) => {
    const command = build().option('--json', 'JSON, for programs');
    command.action(async () => {
      const config = configOf(command, name, shell);
      const { operate, recordAct } = await import('./operate.js');
      const recorded = operatorActOf(command, shell.environment);
      await recordAct(config, recorded);
      const asked: Operate = (operation, fields) => operate({ config, act: recorded }, operation, fields);
      const [answer, text] = await act({ config, shell, operate: asked }, wordsOf(command), command.opts<Options>());
      shell.output.write(command.opts().json ? jsonLines([answer].flat()) : text.split('\n').map(printable).join('\n'));
    });
    return addSettings(command, name);
  };

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
const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
