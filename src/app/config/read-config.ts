import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { MAX_PASSWORD } from '../../events/users/users.settings.js';
import { PasswordRule } from '../../features/users/domain/password.js';
import { Config, type SettingName, settings } from './config.js';
import { type CommandName, fileVariable, flagName } from './config-setting.js';
import { problemsOfEngines } from './engine-problems.js';
import { type Environment, processEnvironment } from './environment.js';
import { problemsOfPush } from './push-problems.js';

/** The flags that were typed, by property. */
export type FlagValues = { readonly [K in SettingName]?: string };

/** The settings cannot be used; `problems` has a sentence for each wrong one. */
export class ConfigRefused extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigRefused';
  }
}

/**
 * Reads settings: flags win over the environment, which wins over defaults. An empty environment variable counts as not
 * set. A secret may be in a file that a variable with `_FILE` at its end names.
 *
 * @param command settings of other commands keep their defaults, whatever the environment says
 * @throws ConfigRefused naming every wrong setting
 */
export function readConfig(
  command: CommandName,
  flags: FlagValues = {},
  environment: Environment = processEnvironment(),
): Config {
  const texts: Partial<Record<SettingName, string | null>> = {};
  const sources = new Map<string, string>();
  const problems: string[] = [];
  for (const [name, setting] of settings) {
    const taken = setting.commands.includes(command);
    const flag = taken ? flags[name] : undefined;
    const variable = (taken && environment[setting.environment]) || undefined;
    const named = fileVariable(setting);
    const file = (taken && named && environment[named]) || undefined;
    if (file && variable) problems.push(`only one of ${setting.environment} and ${named} can be set`);
    texts[name] = flag ?? variable ?? (named && file && secretIn(file, named, problems)) ?? setting.default;
    sources.set(name, flag === undefined ? setting.environment : flagName(setting));
  }
  const config = plainToInstance(Config, texts);
  for (const { property } of validateSync(config)) {
    const setting = settings.get(property as SettingName);
    const given = setting?.secret ? '' : `, not ${JSON.stringify(texts[property as SettingName])}`;
    problems.push(`${sources.get(property)} must be ${setting?.allowed}${given}`);
  }
  problems.push(...problemsOfEngines(command, config));
  if (problems.length === 0) problems.push(...problemsOfPush(config));
  if (problems.length === 0) problems.push(...problemsOfPassword(config));
  if (problems.length > 0) throw new ConfigRefused(problems);
  return Object.freeze(config);
}

/** Reads a secret from its file, as orchestrators hand them over. A line break at the end is none of it. */
function secretIn(file: string, named: string, problems: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    problems.push(`${named} names a file that cannot be read: ${why}`);
    return undefined;
  }
}

/** Says so if no account could get the owner's password. */
function problemsOfPassword({ ownerPassword, passwordMinLength }: Config): string[] {
  if (ownerPassword === null || new PasswordRule(passwordMinLength).fault(ownerPassword) === null) return [];
  return [`ANNALS_OWNER_PASSWORD must be ${passwordMinLength} to ${MAX_PASSWORD} characters long`];
}

/** Finds variables that look like settings and are none: most likely typing errors. */
export function unknownVariables(environment: Environment): string[] {
  const known = new Set([...settings.values()].flatMap((setting) => [setting.environment, fileVariable(setting)]));
  return Object.keys(environment).filter((name) => name.startsWith('ANNALS_') && !known.has(name));
}
