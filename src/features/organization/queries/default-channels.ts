import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { ROLES } from '../../../events/shared/role.js';

/**
 * The channels that new users are subscribed to, as a user is told of them. Guests are told of none: they see no channel
 * that they are not in (the published behaviour of `default_streams`).
 */
export const defaultChannelIdsFor = (reader: Pick<UserRecord, 'role'>, directory: Directory): readonly number[] =>
  reader.role === ROLES.guest ? [] : (directory.organization?.defaultChannelIds ?? []);
