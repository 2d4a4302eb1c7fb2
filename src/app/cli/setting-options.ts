import { Command, Option } from 'commander';
import { type CommandName, fileVariable, type Setting } from '../../platform/settings/setting.js';
import { type Config, type SettingName, settings } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import type { Shell } from './shell.js';

/** Reads the settings of a command that was typed. @throws ConfigRefused */
type ReadSettings = () => Config;

/** Makes a command that takes the settings of its name: `build` gives it its words, options and act. */
export function withSettings(
  shell: Shell,
  name: CommandName,
  build: (command: Command, settings: ReadSettings) => Command,
): Command {
  const command = new Command(name);
  build(command, () => configOf(command, name, shell));
  return addSettings(command, name);
}

/** Gives a command the flags of the settings that it takes. */
export function addSettings(command: Command, name: CommandName): Command {
  for (const [, setting] of settingsFor(name)) command.addOption(new Option(setting.flag, describe(setting)));
  return command;
}

/** Reads the settings from the flags that were typed, and from the environment. @throws ConfigRefused */
export function configOf(command: Command, name: CommandName, { environment }: Shell): Config {
  const typed: Partial<Record<SettingName, string>> = {};
  for (const [property, setting] of settingsFor(name)) {
    const value: unknown = command.opts()[new Option(setting.flag).attributeName()];
    if (typeof value === 'string') typed[property] = value;
  }
  return readConfig(name, typed, environment);
}

const settingsFor = (name: CommandName): [SettingName, Setting][] =>
  [...settings].filter(([, setting]) => setting.commands.includes(name));

function describe(setting: Setting): string {
  const { about, environment, default: value } = setting;
  const file = fileVariable(setting);
  const names = file ? `${environment}, or ${file} for a file with it` : environment;
  return `${about} (${value ? `${names}; default ${value}` : names})`;
}
