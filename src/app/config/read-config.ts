import { readFileSync } from 'node:fs';
import { MAX_PASSWORD } from '../../events/users/users.settings.js';
import { PasswordRule } from '../../features/users/domain/password.js';
import { isEventStoreUrl, problemOfEventStoreUrl } from '../../platform/engines/engine-urls.js';
import { type CommandName, fileVariable, flagName } from '../../platform/settings/setting.js';
import { type Config, type SettingName, settings, settingsByProblem } from './config.js';
import { type Environment, processEnvironment } from './environment.js';
import { problemsOfPush } from './push-problems.js';

/** The flags that were typed, by property. */
type FlagValues = { readonly [K in SettingName]?: string };

/** What is set, or else the default. */
type Texts = { [K in SettingName]?: string | null };

/** Commands whose processes share engines with others. */
const ONE_OF_MANY: readonly CommandName[] = ['api', 'projections'];

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
  const texts: Texts = {};
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
  const values = new Map<SettingName, unknown>();
  for (const [name, { read, secret, allowed }] of settingsByProblem) {
    const text = texts[name] ?? null;
    const value = text === null ? null : read(text);
    const given = secret ? '' : `, not ${JSON.stringify(text)}`;
    if (value === undefined) problems.push(`${sources.get(name)} must be ${allowed}${given}`);
    values.set(name, value);
  }
  const config = Object.fromEntries(values) as Config;
  problems.push(...problemsOfEngines(command, texts));
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

/** Finds settings that would put the log in one place and its documents in another: two organizations. */
function problemsOfEngines(command: CommandName, { eventStoreUrl = null, mongodbUrl = null }: Texts): string[] {
  if (eventStoreUrl === null && mongodbUrl === null) {
    if (!ONE_OF_MANY.includes(command)) return [];
    return [`annals ${command} needs EVENTSTORE_URL and MONGODB_URL; without them, annals start does everything alone`];
  }
  if (eventStoreUrl === null) return ['EVENTSTORE_URL must be set too where MONGODB_URL is: they go together'];
  if (mongodbUrl === null) return ['MONGODB_URL must be set too where EVENTSTORE_URL is: they go together'];
  const problem = isEventStoreUrl(eventStoreUrl) ? problemOfEventStoreUrl(eventStoreUrl) : null;
  return problem === null ? [] : [`EVENTSTORE_URL ${problem}`];
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
