import { avatarOf } from '../../directory/avatars.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { isAdministrator, may } from '../../directory/permissions.js';
import { ROLES } from '../../events/shared/role.js';
import { ListInTurns } from '../../platform/kernel/in-turns.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { botForClients, systemBotsForClients } from './queries/bots.queries.js';
import { withShownProfile } from './queries/users.queries.js';
import { type UserForClients, userForClients } from './queries/users-for-clients.js';

interface UserStateOptions {
  readonly clientGravatar: boolean;
}

/** `realm_user`: all accounts, and the reader's own fields. */
function userState(reader: UserRecord, directory: Directory, { clientGravatar }: UserStateOptions): object {
  const { organization } = directory;
  const listed = (user: UserRecord): Omit<UserForClients, 'is_active'> => {
    const record = withShownProfile(user, { organization });
    const { is_active: _listed, ...rest } = userForClients(record, { clientGravatar, customProfileFields: true });
    return rest;
  };
  const users = directory.allUsers();
  const createsPublic = may(reader, 'can_create_public_channel_group', directory);
  const createsPrivate = may(reader, 'can_create_private_channel_group', directory);
  const avatar = avatarOf(reader);
  return {
    realm_users: new ListInTurns(
      users.filter(({ isActive }) => isActive),
      listed,
    ),
    realm_non_active_users: new ListInTurns(
      users.filter(({ isActive }) => !isActive),
      listed,
    ),
    cross_realm_bots: systemBotsForClients(directory, clientGravatar),
    user_id: reader._id,
    email: reader.email,
    delivery_email: reader.email,
    full_name: reader.fullName,
    is_owner: reader.role === ROLES.owner,
    is_admin: isAdministrator(reader),
    is_moderator: reader.role <= ROLES.moderator,
    is_guest: reader.role === ROLES.guest,
    avatar_source: avatar.source,
    avatar_url: avatar.url,
    avatar_url_medium: avatar.mediumUrl,
    can_create_streams: createsPublic || createsPrivate,
    can_create_public_streams: createsPublic,
    can_create_private_streams: createsPrivate,
    can_create_web_public_streams: false,
    can_subscribe_other_users: may(reader, 'can_add_subscribers_group', directory),
    can_invite_others_to_realm: may(reader, 'can_invite_users_group', directory),
  };
}

/** `realm_bot`: the bots that the reader keeps, deactivated ones included. */
function botState(reader: UserRecord, directory: Directory): object {
  const isKeeper = may(reader, 'administer', directory);
  const kept = directory.allUsers().filter(({ bot }) => bot !== null && (isKeeper || bot.ownerId === reader._id));
  return { realm_bots: kept.map(botForClients) };
}

@ReadsState()
export class UserStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts({ reader, request: { clientGravatar } }: RegisterContext): StateParts {
    return {
      organization: {
        realm_bot: () => botState(reader, this.directory),
        realm_user: () => userState(reader, this.directory, { clientGravatar }),
      },
    };
  }
}
