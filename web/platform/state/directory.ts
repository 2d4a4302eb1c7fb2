import type { Channel, ClientEvent, Person, Registered } from '../client-events.js';
import { type Conversation, conversationOf, direct, keyOf } from './conversation.js';

/** Everybody, with those who have left and the server's own bots: they have written messages. */
export type People = ReadonlyMap<number, Person>;

/** The channels that one is subscribed to. */
export type Channels = ReadonlyMap<number, Channel>;

/** Direct conversations by key, each with its newest message. */
export type Directs = ReadonlyMap<string, { readonly conversation: Conversation; readonly newestId: number }>;

export const initialPeople = (state: Registered): People =>
  new Map(
    [...state.realm_users, ...state.realm_non_active_users, ...state.cross_realm_bots].map((person) => [
      person.user_id,
      person,
    ]),
  );

export function evolvePeople(people: People, event: ClientEvent): People {
  if (event.type !== 'realm_user') return people;
  const { person } = event;
  const known = people.get(person.user_id) ?? { user_id: person.user_id, full_name: '', email: '' };
  const email = person.new_email ?? person.email ?? known.email;
  return new Map(people).set(person.user_id, { ...known, ...person, email });
}

export const initialChannels = ({ subscriptions }: Registered): Channels =>
  new Map(subscriptions.map((channel) => [channel.stream_id, channel]));

export function evolveChannels(channels: Channels, event: ClientEvent): Channels {
  if (event.type !== 'subscription' && event.type !== 'stream') return channels;
  const changed = new Map(channels);
  switch (event.op) {
    case 'add':
      for (const channel of event.subscriptions) changed.set(channel.stream_id, channel);
      return changed;
    case 'remove':
      for (const { stream_id } of event.subscriptions) changed.delete(stream_id);
      return changed;
    case 'delete':
      for (const id of event.stream_ids) changed.delete(id);
      return changed;
    case 'update': {
      const channel = channels.get(event.stream_id);
      if (!channel) return channels;
      return changed.set(event.stream_id, { ...channel, [event.property]: event.value });
    }
    default:
      return channels;
  }
}

export const initialDirects = ({ recent_private_conversations, user_id: myId }: Registered): Directs =>
  new Map(
    recent_private_conversations.map(({ user_ids, max_message_id: newestId }) => {
      const conversation = direct(user_ids, myId);
      return [keyOf(conversation), { conversation, newestId }];
    }),
  );

export function evolveDirects(directs: Directs, event: ClientEvent, myId: number): Directs {
  if (event.type !== 'message' || event.message.type !== 'private') return directs;
  const conversation = conversationOf(event.message, myId);
  return new Map(directs).set(keyOf(conversation), { conversation, newestId: event.message.id });
}
