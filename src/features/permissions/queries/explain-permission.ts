import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { ACTION_NAMES, namedAction } from '../../../directory/named-action.js';
import { may, type PermissionCheck, why } from '../../../directory/permissions.js';
import {
  type GroupSettingValue,
  groupsOf,
  SYSTEM_GROUP_IDS,
  SYSTEM_GROUP_TITLES,
} from '../../../events/shared/group-setting.js';
import { namesOf } from '../../../events/shared/settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';

/** A group that a setting names. */
interface NamedGroup {
  readonly group_id: number;
  readonly name: string;
  /** Whether the account is in it, directly or through other groups. */
  readonly is_in: boolean;
}

export type ExplainedCheck = PermissionCheck & {
  /** Whether the answer rests on it: it has the answer's sense. */
  readonly decides: boolean;
  /** For a setting. */
  readonly groups?: readonly NamedGroup[];
  /** Whether the setting names the account itself. */
  readonly names_account?: boolean;
};

export interface Explanation {
  readonly allowed: boolean;
  /** In the order in which they were asked for. */
  readonly checks: readonly ExplainedCheck[];
}

/**
 * Why an account may do something, or may not.
 *
 * @throws DomainError ADMINISTRATOR_REQUIRED, USER_NOT_FOUND, INVALID_CHANNEL_ID, ACTION_UNKNOWN, ACTION_NEEDS_CHANNEL,
 * ACTION_IN_NO_CHANNEL
 */
export class ExplainPermission extends Query<
  {
    /** null: the server's operator. */
    readonly reader: UserRecord | null;
    readonly userId: number;
    readonly action: string;
    /** null: in the organization. */
    readonly channelId: number | null;
  },
  Explanation
> {}

export const permissionQueries = [
  answersFrom(ExplainPermission, Directory, ({ reader, userId, action: name, channelId }, directory) => {
    if (!may(reader, 'administer', directory)) refuse('ADMINISTRATOR_REQUIRED');
    const user = directory.existingUser(userId);
    const channel = channelId === null ? null : (directory.channel(channelId) ?? refuse('INVALID_CHANNEL_ID'));
    if (!ACTION_NAMES.includes(name)) refuse('ACTION_UNKNOWN', { action: name, known: ACTION_NAMES.join(', ') });
    const action = namedAction(name, channel);
    if (action === 'in a channel only') return refuse('ACTION_NEEDS_CHANNEL', { action: name });
    if (action === 'in no channel') return refuse('ACTION_IN_NO_CHANNEL', { action: name });
    const { allowed, checks } = why(user, action, directory);
    const asked = new Map(checks.map((check) => [keyOf(check), check]));
    return {
      allowed,
      checks: [...asked.values()].map((check) => ({
        ...check,
        decides: check.holds === allowed,
        ...(check.asks === 'setting' ? holders(check.value, user, directory) : {}),
      })),
    };
  }),
];

/** A decision may ask for the same twice. */
const keyOf = (check: PermissionCheck): string => (check.asks === 'fact' ? check.fact : `${check.of} ${check.setting}`);

function holders(value: GroupSettingValue, user: UserRecord, directory: Directory) {
  const groups = groupsOf(value).map((groupId) => ({
    group_id: groupId,
    name: nameOf(groupId, directory),
    is_in: directory.isInGroup(user, groupId),
  }));
  return { groups, names_account: typeof value !== 'number' && value.direct_members.includes(user._id) };
}

function nameOf(groupId: number, directory: Directory): string {
  const system = namesOf(SYSTEM_GROUP_IDS).find((name) => SYSTEM_GROUP_IDS[name] === groupId);
  if (system !== undefined) return SYSTEM_GROUP_TITLES[system];
  return directory.groups.group(groupId)?.name ?? `group ${groupId}`;
}
