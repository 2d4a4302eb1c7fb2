import { type GroupSettingValue, SYSTEM_GROUP_IDS, type SystemGroupName } from '../../../kernel/group-setting.js';
import type { RealmSettings } from '../../../organization/domain/realm.settings.js';

type Policies = Readonly<Partial<Record<SystemGroupName, number>>>;

/** Each is a number for everybody whom the group holds, or the next wider number that there is. */
const CREATE_CHANNELS: Policies = {
  'role:members': 1,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:administrators': 2,
  'role:owners': 2,
  'role:nobody': 2,
};

const CREATE_WEB_PUBLIC_CHANNELS: Policies = {
  'role:moderators': 4,
  'role:administrators': 2,
  'role:owners': 7,
  'role:nobody': 6,
};

const MENTION_MANY: Policies = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:moderators': 7,
  'role:administrators': 5,
  'role:owners': 5,
  'role:nobody': 6,
};

/** What clients are told that know numbers and no groups: never fewer people than may. */
export const legacyPolicies = (settings: RealmSettings): Readonly<Record<string, number>> => ({
  realm_create_public_stream_policy: policy(settings.can_create_public_channel_group, CREATE_CHANNELS, 1),
  realm_create_private_stream_policy: policy(settings.can_create_private_channel_group, CREATE_CHANNELS, 1),
  realm_create_web_public_stream_policy: policy(
    settings.can_create_web_public_channel_group,
    CREATE_WEB_PUBLIC_CHANNELS,
    4,
  ),
  realm_wildcard_mention_policy: policy(settings.can_mention_many_users_group, MENTION_MANY, 1),
});

/** @param widest where the group is one that people have made, which may hold anybody */
function policy(value: GroupSettingValue, policies: Policies, widest: number): number {
  for (const [group, number] of Object.entries(policies))
    if (SYSTEM_GROUP_IDS[group as SystemGroupName] === value) return number;
  return widest;
}
