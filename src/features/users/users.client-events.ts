import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { avatarUpdate, botAdd, userAdd } from '../../../projections/client-events/users.js';
import { type AvatarFacts, avatarOf } from '../../directory/avatars.js';
import {
  type Addressee,
  type ClientEventWriter,
  type Variant,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { botForClients } from './queries/bots-for-clients.js';
import { userForClients } from './queries/users-for-clients.js';

@WritesClientEvents()
export class UserClientEvents implements ClientEventWriter {
  readonly kinds = [userAdd, avatarUpdate, botAdd];
  private readonly texts = new PerVariant<ClientEventDocument>();

  prepare(_events: readonly ClientEventDocument[], { variant }: Addressee): WriteBody {
    return (event) => this.texts.get(event, variant, () => JSON.stringify(bodyOf(event, variant)));
  }
}

function bodyOf(event: ClientEventDocument, { clientGravatar }: Variant): object {
  if (botAdd.is(event)) return { type: 'realm_bot', op: 'add', bot: botForClients(event.payload.bot) };
  if (avatarUpdate.is(event)) {
    const { userId: _id, ...facts } = event.payload;
    return { type: 'realm_user', op: 'update', person: avatarForClients({ _id, ...facts }) };
  }
  if (!userAdd.is(event)) throw new Error(`${event.kind} tells of no account`);
  const user = { ...event.payload.user, isActive: true, createdAt: event.at, profile: {} };
  const person = userForClients(user, { clientGravatar, customProfileFields: true });
  return { type: 'realm_user', op: 'add', person };
}

function avatarForClients(user: AvatarFacts): object {
  const { url, mediumUrl, source, version } = avatarOf(user);
  return {
    user_id: user._id,
    avatar_url: url,
    avatar_source: source,
    avatar_url_medium: mediumUrl,
    avatar_version: version,
  };
}
