import type { OrganizationRecord } from '../../src/directory/directory.records.js';
import type { Recorded } from '../../src/kernel/event.js';
import { ROLES } from '../../src/kernel/role.js';
import type { DefaultChannelAdded, DefaultChannelRemoved } from '../../src/organization/domain/organization.events.js';
import type { UserRoleChanged } from '../../src/users/domain/users.events.js';
import type { ClientEventDocument } from '../client-events.documents.js';
import type { OwnDocuments } from '../projection.js';
import type { TellingRule } from './directory-rules.js';
import { ALL_BUT_GUESTS, told } from './entries.js';

/** The whole list, once the event had happened. Guests are told of no default channels. */
export const defaultChannels: TellingRule<DefaultChannelAdded | DefaultChannelRemoved> = (event, after) => {
  const { defaultChannelIds } = after('organization', 'organization');
  return [told(event, 'default_streams', ALL_BUT_GUESTS, { default_streams: defaultChannelIds })];
};

/** Who is a guest no more learns of them, and who becomes one knows of none. */
export async function defaultChannelsWithRole(
  event: Recorded<UserRoleChanged>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const { userId, from, to } = event.data;
  if (from !== ROLES.guest && to !== ROLES.guest) return [];
  const organization = await documents.collection<OrganizationRecord>('organization').findOne({ _id: 'organization' });
  const default_streams = to === ROLES.guest ? [] : (organization?.defaultChannelIds ?? []);
  return [told(event, 'default_streams', { userIds: [userId] }, { default_streams }, { nth: 1 })];
}
