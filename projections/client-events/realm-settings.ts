import type { RealmSettingChanged } from '../../src/organization/domain/organization.events.js';
import type { TellingRule } from './directory-rules.js';
import { EVERYONE, told } from './entries.js';
import { changedFullMembers } from './system-groups.js';

/** Everybody is told of every setting; the register response has them for everybody too. */
export const realmSettingChanged: TellingRule<RealmSettingChanged> = async (event, _after, documents) => {
  const { setting, from, to } = event.data;
  // The one setting that the other form of the event does not have.
  if (setting === 'message_retention_days')
    return [told(event, 'realm/update', EVERYONE, { property: setting, value: to })];
  const data = { [setting]: to, ...oldNames(event.data) };
  const changed = told(event, 'realm/update_dict', EVERYONE, { property: 'default', data });
  if (setting !== 'waiting_period_threshold') return [changed];
  return [changed, ...(await changedFullMembers(event, Number(from), Number(to), documents))];
};

/** What clients know the same setting by that are older than it. */
function oldNames({ setting, to }: RealmSettingChanged['data']): object {
  switch (setting) {
    case 'topics_policy':
      return { mandatory_topics: to === 'disable_empty_topic' };
    case 'message_edit_history_visibility_policy':
      return { allow_edit_history: to !== 'none' };
    default:
      return {};
  }
}
