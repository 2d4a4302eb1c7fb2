import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { ROLES } from '../../../events/shared/role.js';

/**
 * Lists the default channels for a user's clients. Guests get none: they see only channels that they subscribe to (the
 * published behaviour of `default_streams`).
 */
export const defaultChannelIdsFor = (reader: Pick<UserRecord, 'role'>, directory: Directory): readonly number[] =>
  reader.role === ROLES.guest ? [] : (directory.organization?.defaultChannelIds ?? []);
