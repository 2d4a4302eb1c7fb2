import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  retention,
  type TopicsPolicy,
} from '../../../events/channels/channels.settings.js';
import { type GroupSettingValue, SYSTEM_GROUP_IDS } from '../../../events/shared/group-setting.js';
import { type GroupFacts, usableGroupSetting } from '../../../events/shared/group-setting-rules.js';
import { namesOf } from '../../../events/shared/settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** The creator's options for a new channel. */
export interface ChannelOptions {
  readonly inviteOnly: boolean;
  /** null: true for a public channel, false for a private one. */
  readonly historyPublicToSubscribers: boolean | null;
  /** Readable without an account. */
  readonly webPublic?: boolean;
  /** New users are subscribed to it. */
  readonly isDefault?: boolean;
  readonly topicsPolicy?: TopicsPolicy;
  /** null: the organization's setting, -1: for ever. */
  readonly messageRetentionDays?: number | null;
  /** null: in no folder. */
  readonly folderId?: number | null;
  readonly permissions?: Readonly<Partial<Record<ChannelPermission, GroupSettingValue>>>;
}

/** The creator's permissions and facts about groups (D4). */
export interface ChannelCreationFacts {
  /** May create a public channel, or a private one, as requested. */
  readonly mayCreate: boolean;
  readonly mayMakeDefault: boolean;
  readonly maySetRetention: boolean;
  readonly maySetTopicsPolicy: boolean;
  readonly maySetDeletePolicy: boolean;
  readonly groups: GroupFacts;
}

export const CHANNEL_PERMISSION_NAMES = namesOf(CHANNEL_PERMISSIONS);

/** Refuses with NOT_AUTHORIZED, WEB_PUBLIC_CHANNELS_OFF, CHANNEL_IS_DEFAULT, OWNER_REQUIRED, and as usableGroupSetting. */
export function requireUsableOptions(options: ChannelOptions, facts: ChannelCreationFacts): void {
  if (!facts.mayCreate) refuse('NOT_AUTHORIZED');
  if (options.webPublic) refuse('WEB_PUBLIC_CHANNELS_OFF');
  if (options.isDefault && !facts.mayMakeDefault) refuse('NOT_AUTHORIZED');
  if (options.isDefault && options.inviteOnly) refuse('CHANNEL_IS_DEFAULT');
  if ((options.messageRetentionDays ?? null) !== null && !facts.maySetRetention) refuse('OWNER_REQUIRED');
  if ((options.topicsPolicy ?? 'inherit') !== 'inherit' && !facts.maySetTopicsPolicy) refuse('NOT_AUTHORIZED');
  for (const name of CHANNEL_PERMISSION_NAMES) {
    const wanted = options.permissions?.[name];
    if (wanted === undefined) continue;
    const rule = CHANNEL_PERMISSIONS[name];
    const value = usableGroupSetting(name, rule, wanted, facts.groups);
    const givesDeletion =
      rule.needs === 'can_set_delete_message_policy_group' && value !== SYSTEM_GROUP_IDS['role:nobody'];
    if (givesDeletion && !facts.maySetDeletePolicy) refuse('NOT_AUTHORIZED');
  }
}

/** The history of a public channel is always public to its readers. */
export const initialHistory = ({ inviteOnly, historyPublicToSubscribers }: ChannelOptions): boolean =>
  !inviteOnly || (historyPublicToSubscribers ?? false);

const DAYS = /^[1-9]\d{0,8}$/;

/**
 * Parses `unlimited` or `realm_default`. Refuses a number of days with RETENTION_LIMITED, because no message is deleted
 * for its age, and anything else with RETENTION_INVALID.
 */
export function retentionDays(said: string | number): number | null {
  const text = String(said);
  const { words = {} } = retention;
  if (Object.hasOwn(words, text)) return words[text] ?? null;
  return DAYS.test(text) ? refuse('RETENTION_LIMITED') : refuse('RETENTION_INVALID', { value: text });
}
