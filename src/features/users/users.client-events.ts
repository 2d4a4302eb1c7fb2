import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { avatarUpdate, botAdd, botServices, userAdd } from '../../../projections/client-events/users.js';
import { type AvatarFacts, avatarOf } from '../../directory/avatars.js';
import { Directory } from '../../directory/directory.js';
import {
  type ClientEventWriter,
  type ServedQueue,
  type Variant,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { botForClients, knownWebhook, servicesOf } from './queries/bots.queries.js';
import { userForClients } from './queries/users-for-clients.js';

@WritesClientEvents()
export class UserClientEvents implements ClientEventWriter {
  readonly kinds = [userAdd, avatarUpdate, botAdd, botServices];
  private readonly texts = new PerVariant<ClientEventDocument>();

  constructor(private readonly directory: Directory) {}

  prepare(_events: readonly ClientEventDocument[], { variant }: ServedQueue): WriteBody {
    return (event) =>
      botAdd.is(event) || botServices.is(event)
        ? JSON.stringify(this.botBody(event))
        : this.texts.get(event, variant, () => JSON.stringify(bodyOf(event, variant)));
  }

  private botBody(event: ClientEventDocument): object {
    if (botAdd.is(event)) {
      const { bot } = event.payload;
      const webhook = knownWebhook(this.directory.user(bot._id));
      const told = bot.bot && { ...bot.bot, webhook };
      return { type: 'realm_bot', op: 'add', bot: botForClients({ ...bot, bot: told }) };
    }
    if (!botServices.is(event)) throw new Error(`${event.kind} tells of no bot`);
    const { userId: user_id } = event.payload;
    const services = servicesOf(knownWebhook(this.directory.user(user_id)));
    return { type: 'realm_bot', op: 'update', bot: { user_id, services } };
  }
}

function bodyOf(event: ClientEventDocument, { clientGravatar }: Variant): object {
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
