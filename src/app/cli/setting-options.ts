import { type Command, Option } from 'commander';
import { type CommandName, fileVariable, type Setting } from '../../platform/settings/setting.js';
import { type SettingName, settings } from '../config/config.js';
import type { FlagValues } from '../config/read-config.js';

/** Gives a command the flags of the settings that it takes. */
export function addSettings(command: Command, name: CommandName): Command {
  for (const [, setting] of settingsFor(name)) command.addOption(new Option(setting.flag, describe(setting)));
  return command;
}

/** Reads the flags that were typed. */
export function flagValues(command: Command, name: CommandName): FlagValues {
  const values: Partial<Record<SettingName, string>> = {};
  for (const [property, setting] of settingsFor(name)) {
    const value: unknown = command.opts()[new Option(setting.flag).attributeName()];
    if (typeof value === 'string') values[property] = value;
  }
  return values;
}

const settingsFor = (name: CommandName): [SettingName, Setting][] =>
  [...settings].filter(([, setting]) => setting.commands.includes(name));

function describe(setting: Setting): string {
  const { about, environment, default: value } = setting;
  const file = fileVariable(setting);
  const names = file ? `${environment}, or ${file} for a file with it` : environment;
  return `${about} (${value ? `${names}; default ${value}` : names})`;
}
