import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import {
  type LinkifierForClients,
  linkifiersForClients,
  type ProfileFieldForClients,
  profileFieldsForClients,
} from '../../../directory/organization-for-clients.js';
import { Query } from '../../../platform/kernel/command.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { defaultChannelIdsFor } from './default-channels.js';

export class GetLinkifiers extends Query<readonly LinkifierForClients[]> {}

export class GetProfileFields extends Query<readonly ProfileFieldForClients[]> {}

export class GetDefaultChannels extends Query<readonly number[]> {
  constructor(readonly reader: UserRecord) {
    super();
  }
}

export const organizationQueries = [
  answersFrom(GetLinkifiers, Directory, (_query, { organization }) =>
    organization ? linkifiersForClients(organization) : [],
  ),
  answersFrom(GetProfileFields, Directory, (_query, { organization }) =>
    organization ? profileFieldsForClients(organization) : [],
  ),
  answersFrom(GetDefaultChannels, Directory, ({ reader }, directory) => defaultChannelIdsFor(reader, directory)),
];
