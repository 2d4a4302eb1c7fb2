import {
  PLAIN_REALM_SETTINGS,
  type PlainRealmSetting,
  type PlainRealmSettings,
  REALM_PERMISSIONS,
} from '../../../events/organization/realm.settings.js';
import { namesOf, sentOf } from '../../../events/shared/settings.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { ChangeRealmSettings } from '../domain/change-realm-settings.js';
import type { UpdateRealmParameters } from './update-realm.parameters.js';

export function changeRealmSettings(parameters: UpdateRealmParameters, by: CommandContext): ChangeRealmSettings {
  const sent: Readonly<Record<string, unknown>> = { ...parameters };
  const plain: Record<string, unknown> = {};
  for (const name of namesOf(PLAIN_REALM_SETTINGS)) {
    const value = plainValue(name, sent);
    if (value !== undefined) plain[name] = value;
  }
  return new ChangeRealmSettings({ plain, permissions: sentOf(REALM_PERMISSIONS, parameters), by });
}

/** Reads a setting's value from the parameters. A setting's own name wins over its older name. */
function plainValue(name: keyof PlainRealmSettings, sent: Readonly<Record<string, unknown>>): unknown {
  const { type, older, isTrimmed }: PlainRealmSetting = PLAIN_REALM_SETTINGS[name];
  const value = sent[name];
  const flag = older && sent[older.name];
  if (older && value === undefined && flag !== undefined) return flag ? older.true : older.false;
  if (typeof value !== 'string') return value;
  const { words = {} } = type;
  if (Object.hasOwn(words, value)) return words[value];
  return isTrimmed ? value.trim() : value;
}
