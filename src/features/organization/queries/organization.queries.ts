import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import {
  type LinkifierForClients,
  linkifiersForClients,
  type ProfileFieldForClients,
  profileFieldsForClients,
} from '../../../directory/organization-for-clients.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { defaultChannelIdsFor } from './default-channels.js';

export class GetLinkifiers extends Query<object, readonly LinkifierForClients[]> {}

export class GetProfileFields extends Query<object, readonly ProfileFieldForClients[]> {}

export class GetDefaultChannels extends Query<{ reader: UserRecord }, readonly number[]> {}

export const organizationQueries = [
  answersFrom(GetLinkifiers, Directory, (_query, { organization }) =>
    organization ? linkifiersForClients(organization) : [],
  ),
  answersFrom(GetProfileFields, Directory, (_query, { organization }) =>
    organization ? profileFieldsForClients(organization) : [],
  ),
  answersFrom(GetDefaultChannels, Directory, ({ reader }, directory) => defaultChannelIdsFor(reader, directory)),
];
