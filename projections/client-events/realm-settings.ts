import type { Recorded } from '../../src/kernel/event.js';
import type { RealmSettingChanged } from '../../src/organization/domain/organization.events.js';
import type { ClientEventDocument } from '../client-events.documents.js';
import type { OwnDocuments } from '../projection.js';
import type { TellingRule } from './directory-rules.js';
import { EVERYONE, told } from './entries.js';
import { changedFullMembers } from './system-groups.js';
import { toldValue } from './told-values.js';

/** Everybody is told of every setting; the register response has them for everybody too. */
export const realmSettingChanged: TellingRule<RealmSettingChanged> = async (event, _after, documents) => [
  await settingTold(event, documents),
  ...(await membersTold(event, documents)),
];

async function settingTold(
  event: Recorded<RealmSettingChanged>,
  documents: OwnDocuments,
): Promise<ClientEventDocument> {
  const { setting, to } = event.data;
  // The one setting that the other form of the event does not have.
  if (setting === 'message_retention_days')
    return told(event, 'realm/update', EVERYONE, { property: setting, value: to });
  const value = typeof to === 'object' && to !== null ? await toldValue(to, documents) : to;
  const data = { [setting]: value, ...oldNames(event.data) };
  return told(event, 'realm/update_dict', EVERYONE, { property: 'default', data });
}

/** A longer or shorter waiting period makes other people full members. */
async function membersTold(
  event: Recorded<RealmSettingChanged>,
  documents: OwnDocuments,
): Promise<readonly ClientEventDocument[]> {
  const { setting, from, to } = event.data;
  if (setting !== 'waiting_period_threshold' || typeof from !== 'number' || typeof to !== 'number') return [];
  return changedFullMembers(event, from, to, documents);
}

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
