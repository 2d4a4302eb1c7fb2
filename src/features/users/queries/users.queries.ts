import { messages } from '../../../../projections/messages/messages.projection.js';
import { newestMessageId } from '../../../../projections/messages/newest-message-id.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { namedAccount } from '../../../directory/named-account.js';
import { accountOf } from '../../../directory/system-bots.js';
import { PROFILE_FIELD_TYPES, type ProfileField } from '../../../events/organization/organization.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { ListInTurns } from '../../../platform/kernel/in-turns.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { accountForClients } from './bots.queries.js';
import { type UserForClients, type UserRecordOptions, userForClients } from './users-for-clients.js';

/** Options of the current fields of type SELECT. */
const options = new WeakMap<ProfileField, ReadonlySet<string>>();

/** Removes profile values whose field or option no longer exists. */
export function withShownProfile(user: UserRecord, { organization }: Pick<Directory, 'organization'>): UserRecord {
  const entries = Object.entries(user.profile);
  if (entries.length === 0) return user;
  const fields = organization?.profileFields ?? [];
  const shown = entries.filter(([id, { value }]) => {
    const field = fields.find((one) => one.id === Number(id));
    return field !== undefined && holds(field, value);
  });
  return shown.length === entries.length ? user : { ...user, profile: Object.fromEntries(shown) };
}

function holds(field: ProfileField, value: string): boolean {
  if (field.type !== PROFILE_FIELD_TYPES.SELECT.id) return true;
  let known = options.get(field);
  if (!known) {
    known = new Set(Object.keys(JSON.parse(field.fieldData) as object));
    options.set(field, known);
  }
  return known.has(value);
}

export class GetOwnUser extends Query<{ user: UserRecord }, object> {}

/** @param user an id, an address in any case, or `user<id>@<domain>` */
export class GetUser extends Query<{ user: string; options: UserRecordOptions }, UserForClients> {}

/** Finds the id of the named account. For an unknown name, gives an id of no account: the command refuses in its order. */
export class FindUserId extends Query<{ user: string }, number> {}

const NOBODY = 0;

export class GetUsers extends Query<
  {
    /** null for all users. */
    userIds: readonly number[] | null;
    options: UserRecordOptions;
  },
  ListInTurns<UserRecord, UserForClients>
> {}

export const userQueries = [
  answersFrom(GetOwnUser, Facts, async ({ user }, { directory, readModels }) => {
    const options = { clientGravatar: false, customProfileFields: true };
    const record = userForClients(withShownProfile(user, directory), options);
    return { ...record, max_message_id: await newestMessageId(readModels.collection(messages, 'messages')) };
  }),
  answersFrom(GetUser, [Directory, SITE], ({ user, options }, directory, site: () => string) => {
    const record = namedAccount(user, directory, site()) ?? refuse('USER_NOT_FOUND');
    return accountForClients(withShownProfile(record, directory), options);
  }),
  answersFrom(
    FindUserId,
    [Directory, SITE],
    ({ user }, directory, site: () => string) => namedAccount(user, directory, site())?._id ?? NOBODY,
  ),
  answersFrom(GetUsers, Directory, ({ userIds, options }, directory) => {
    const { organization } = directory;
    // Leaves out unknown ids, as the API says.
    const named = userIds && [...new Set(userIds)].flatMap((id) => accountOf(id, directory) ?? []);
    return new ListInTurns(named ?? directory.allUsers(), (user) =>
      accountForClients(withShownProfile(user, { organization }), options),
    );
  }),
];
