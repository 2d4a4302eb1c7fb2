import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { MAX_PASSWORD } from '../../events/users/users.settings.js';
import { PasswordRule } from '../../features/users/domain/password.js';
import { Config, type SettingName, settings } from './config.js';
import { type CommandName, flagName } from './config-setting.js';
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
 * set.
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
  for (const [name, setting] of settings) {
    const taken = setting.commands.includes(command);
    const flag = taken ? flags[name] : undefined;
    const variable = (taken && environment[setting.environment]) || undefined;
    texts[name] = flag ?? variable ?? setting.default;
    sources.set(name, flag === undefined ? setting.environment : flagName(setting));
  }
  const config = plainToInstance(Config, texts);
  const problems = validateSync(config).map(({ property }) => {
    const setting = settings.get(property as SettingName);
    const given = setting?.secret ? '' : `, not ${JSON.stringify(texts[property as SettingName])}`;
    return `${sources.get(property)} must be ${setting?.allowed}${given}`;
  });
  problems.push(...problemsOfEngines(command, config));
  if (problems.length === 0) problems.push(...problemsOfPush(config));
  if (problems.length === 0) problems.push(...problemsOfPassword(config));
  if (problems.length > 0) throw new ConfigRefused(problems);
  return Object.freeze(config);
}

/** Says so if no account could get the owner's password. */
function problemsOfPassword({ ownerPassword, passwordMinLength }: Config): string[] {
  if (ownerPassword === null || new PasswordRule(passwordMinLength).fault(ownerPassword) === null) return [];
  return [`ANNALS_OWNER_PASSWORD must be ${passwordMinLength} to ${MAX_PASSWORD} characters long`];
}

/** Finds variables that look like settings and are none: most likely typing errors. */
export function unknownVariables(environment: Environment): string[] {
  const known = new Set([...settings.values()].map((setting) => setting.environment));
  return Object.keys(environment).filter((name) => name.startsWith('ANNALS_') && !known.has(name));
}
