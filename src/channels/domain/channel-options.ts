import { refuse } from '../../kernel/domain-error.js';
import { defaultGroupSetting, type GroupSettingValue, SYSTEM_GROUP_IDS } from '../../kernel/group-setting.js';
import { type GroupFacts, usableGroupSetting } from '../../kernel/group-setting-rules.js';
import type { TopicsPolicy } from './channels.settings.js';
import { CHANNEL_PERMISSIONS, type ChannelPermission, type ChannelPermissions } from './channels.settings.js';

/** How a new channel is to be, as far as its creator says. */
export interface ChannelOptions {
  readonly inviteOnly: boolean;
  /** null: only of a public channel. */
  readonly historyPublicToSubscribers: boolean | null;
  /** Readable without an account. */
  readonly webPublic?: boolean;
  /** New users are subscribed to it. */
  readonly isDefault?: boolean;
  readonly topicsPolicy?: TopicsPolicy;
  /** Days; null: as the organisation has it, -1: for ever. */
  readonly messageRetentionDays?: number | null;
  readonly permissions?: Readonly<Partial<Record<ChannelPermission, GroupSettingValue>>>;
}

/** What the creator of a channel may, and what else the decision has to know of others (D4). */
export interface ChannelCreationFacts {
  /** A public channel, or a private one: whichever it is to be. */
  readonly mayCreate: boolean;
  readonly mayMakeDefault: boolean;
  readonly maySetRetention: boolean;
  readonly maySetTopicsPolicy: boolean;
  readonly maySetDeletePolicy: boolean;
  readonly groups: GroupFacts;
}

/** They decide who loses words for good: whoever sets them needs a permission of the organisation's for it. */
export const DELETE_POLICIES: readonly ChannelPermission[] = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
];

export const CHANNEL_PERMISSION_NAMES = Object.keys(CHANNEL_PERMISSIONS) as readonly ChannelPermission[];

/** Refuses with NOT_AUTHORIZED, WEB_PUBLIC_CHANNELS_OFF, CHANNEL_IS_DEFAULT, OWNER_REQUIRED, and as usableGroupSetting does. */
export function requireUsableOptions(options: ChannelOptions, facts: ChannelCreationFacts): void {
  if (!facts.mayCreate) refuse('NOT_AUTHORIZED');
  if (options.webPublic) refuse('WEB_PUBLIC_CHANNELS_OFF');
  if (options.isDefault && !facts.mayMakeDefault) refuse('NOT_AUTHORIZED');
  if (options.isDefault && options.inviteOnly) refuse('CHANNEL_IS_DEFAULT');
  if ((options.messageRetentionDays ?? null) !== null && !facts.maySetRetention) refuse('OWNER_REQUIRED');
  if ((options.topicsPolicy ?? 'inherit') !== 'inherit' && !facts.maySetTopicsPolicy) refuse('NOT_AUTHORIZED');
  for (const name of CHANNEL_PERMISSION_NAMES) {
    const asked = options.permissions?.[name];
    if (asked === undefined) continue;
    const value = usableGroupSetting(name, CHANNEL_PERMISSIONS[name], asked, facts.groups);
    const givesDeletion = DELETE_POLICIES.includes(name) && value !== SYSTEM_GROUP_IDS['role:nobody'];
    if (givesDeletion && !facts.maySetDeletePolicy) refuse('NOT_AUTHORIZED');
  }
}

/** All of a new channel's permissions: those that its creator has said, and the usual ones. */
export function initialPermissions(
  { permissions = {} }: ChannelOptions,
  creatorId: number,
  groups: GroupFacts,
): ChannelPermissions {
  const values = CHANNEL_PERMISSION_NAMES.map((name) => {
    const rule = CHANNEL_PERMISSIONS[name];
    const asked = permissions[name];
    return [
      name,
      asked === undefined ? defaultGroupSetting(rule, creatorId) : usableGroupSetting(name, rule, asked, groups),
    ];
  });
  return Object.fromEntries(values) as ChannelPermissions;
}

/** Everybody who may read a public channel may read what was written in it before. */
export const initialHistory = ({ inviteOnly, historyPublicToSubscribers }: ChannelOptions): boolean =>
  !inviteOnly || (historyPublicToSubscribers ?? false);

const RETENTION_WORDS: Readonly<Record<string, number | null>> = { unlimited: -1, realm_default: null };
const DAYS = /^[1-9]\d{0,8}$/;

/** As clients say it: a number of days, `unlimited` or `realm_default`. Refuses with RETENTION_INVALID. */
export function retentionDays(said: string | number): number | null {
  const text = String(said);
  if (Object.hasOwn(RETENTION_WORDS, text)) return RETENTION_WORDS[text] ?? null;
  return DAYS.test(text) ? Number(text) : refuse('RETENTION_INVALID', { value: text });
}
