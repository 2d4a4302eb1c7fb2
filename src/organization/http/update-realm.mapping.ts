import type { CommandContext } from '../../kernel/command-context.js';
import { ChangeRealmSettings, type PermissionUpdates } from '../domain/change-realm-settings.js';
import { type PlainRealmSettings, REALM_PERMISSIONS } from '../domain/realm.settings.js';
import type { UpdateRealmParameters } from './update-realm.parameters.js';

/** Words that clients send for a value that settings keep otherwise. */
const WORDS: { readonly [Name in keyof PlainRealmSettings]?: Readonly<Record<string, PlainRealmSettings[Name]>> } = {
  jitsi_server_url: { default: null },
  message_content_delete_limit_seconds: { unlimited: null },
  message_content_edit_limit_seconds: { unlimited: null },
  message_retention_days: { unlimited: -1 },
  move_messages_between_streams_limit_seconds: { unlimited: null },
  move_messages_within_stream_limit_seconds: { unlimited: null },
};

export function changeRealmSettings(parameters: UpdateRealmParameters, by: CommandContext): ChangeRealmSettings {
  const { allow_edit_history, mandatory_topics, ...named } = parameters;
  const given = Object.entries<unknown>({ ...oldNames(allow_edit_history, mandatory_topics), ...withoutGaps(named) });
  const isPermission = ([name]: readonly [string, unknown]): boolean => name in REALM_PERMISSIONS;
  const permissions = given.filter(isPermission).map(([name, change]) => [name, withoutGaps(change as object)]);
  const plain = given.filter((entry) => !isPermission(entry)).map(([name, value]) => [name, settingValue(name, value)]);
  // The parameters class has each setting by its name and with its type.
  return new ChangeRealmSettings(
    Object.fromEntries(plain) as Partial<PlainRealmSettings>,
    Object.fromEntries(permissions) as PermissionUpdates,
    by,
  );
}

/** What the two booleans say that clients sent before there were policies; the policy's own name wins. */
const oldNames = (allowsHistory?: boolean, needsTopics?: boolean): Partial<PlainRealmSettings> => ({
  ...(allowsHistory !== undefined && { message_edit_history_visibility_policy: allowsHistory ? 'all' : 'none' }),
  ...(needsTopics !== undefined && { topics_policy: needsTopics ? 'disable_empty_topic' : 'allow_empty_topic' }),
});

function settingValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'name') return value.trim();
  const words: Readonly<Record<string, unknown>> = WORDS[name as keyof PlainRealmSettings] ?? {};
  return Object.hasOwn(words, value) ? words[value] : value;
}

/** Of settings, those that were sent; of a permission's change, `old` where it was. */
const withoutGaps = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && (name !== 'old' || value !== null)),
  );
