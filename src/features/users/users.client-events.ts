import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { avatarUpdate, botAdd, userAdd } from '../../../projections/client-events/users.js';
import {
  type Addressee,
  type ClientEventWriter,
  type Variant,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { avatarForClients } from './queries/avatar-url.js';
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
  if (avatarUpdate.is(event)) return { type: 'realm_user', op: 'update', person: avatarForClients(event.payload) };
  if (!userAdd.is(event)) throw new Error(`${event.kind} tells of no account`);
  const user = { ...event.payload.user, isActive: true, createdAt: event.at, profile: {} };
  const person = userForClients(user, { clientGravatar, customProfileFields: true });
  return { type: 'realm_user', op: 'add', person };
}
