import type { Recorded } from '../../src/kernel/event.js';
import { ROLES } from '../../src/kernel/role.js';
import {
  type Audience,
  type ClientEventDocument,
  type ClientEventKind,
  type ClientEventOf,
  clientEventId,
  type StatePart,
  type Told,
  type ToldKind,
} from '../client-events.documents.js';

/**
 * Ranks under a domain event, in the order in which clients get them. Literals: a version that emits one more kind puts
 * it between, and every id that a client holds stays what it was (D10).
 */
const RANK: Readonly<Record<ClientEventKind, number>> = {
  'stream/create': 512,
  // As many as a message can link to, before what is told of the message itself.
  'attachment/update': 520,
  'stream/gained': 768,
  'subscription/gone': 896,
  muted_topics: 1008,
  'user_settings/update': 1020,
  update_display_settings: 1021,
  update_global_notifications: 1021,
  alert_words: 1024,
  'attachment/add': 1024,
  'attachment/remove': 1024,
  custom_profile_fields: 1024,
  default_streams: 1024,
  'drafts/add': 1024,
  'drafts/remove': 1024,
  'drafts/update': 1024,
  message: 1024,
  update_message: 1024,
  delete_message: 1024,
  'update_message/moved': 1024,
  'update_message_flags/moved': 1040,
  'reaction/add': 1024,
  'reaction/remove': 1024,
  muted_users: 1024,
  'realm/update': 1024,
  'realm/update_dict': 1024,
  realm_linkifiers: 1024,
  realm_playgrounds: 1024,
  'realm_user/add': 1024,
  'realm_user/update': 1024,
  'realm_user/avatar': 1032,
  'realm_bot/update': 1048,
  'realm_bot/delete': 1052,
  'realm_bot/add': 1056,
  'subscription/add': 1024,
  'subscription/remove': 1024,
  'subscription/update': 1024,
  user_topic: 1024,
  'update_message_flags/add': 1024,
  'update_message_flags/remove': 1024,
  'user_group/add': 1024,
  'user_group/remove': 1024,
  'user_group/update': 1152,
  'user_group/add_subgroups': 1536,
  'user_group/remove_subgroups': 1536,
  'user_group/remove_members': 1792,
  'stream/update': 2048,
  'subscription/peer_add': 2048,
  'subscription/peer_remove': 2048,
  'subscription/peers': 2304,
  'subscription/back': 2560,
  // The last of its own ids: those of the 1,023 below it are its other bodies'.
  'subscription/gained': 3071,
  'stream/delete': 3072,
  'user_group/add_members': 3136,
  'stream/lost': 3584,
  // The last of its own ids: those of the 1,023 below it are its other bodies'.
  'delete_message/moved': 3584,
};

/** One client event that a domain event causes. @param nth from 0, where several of a kind have one cause */
export function entry<Kind extends ClientEventKind>(
  event: Recorded,
  kind: Kind,
  audience: Audience,
  payload: ClientEventOf<Kind>['payload'],
  { part = 'organization', nth = 0 }: { readonly part?: StatePart; readonly nth?: number } = {},
): ClientEventOf<Kind> {
  const _id = clientEventId(event.position, RANK[kind] + nth);
  return { _id, position: event.position, kind, part, audience, at: event.metadata.at, payload };
}

/** One that is told to all of its audience as it stands. @param body the published fields, but for `type`, `op`, `id` */
export const told = <Kind extends ToldKind>(
  event: Recorded,
  kind: Kind,
  audience: Audience,
  body: object,
  more: Pick<Told, 'without' | 'unless'> & { readonly nth?: number } = {},
): ClientEventDocument => {
  const { nth = 0, ...without } = more;
  const payload = { body, ...without } as ClientEventOf<Kind>['payload'];
  return entry(event, kind, audience, payload, { nth }) as unknown as ClientEventDocument;
};

export const EVERYONE: Audience = { everyone: true };

export const ALL_BUT_GUESTS: Audience = { roles: [ROLES.owner, ROLES.administrator, ROLES.moderator, ROLES.member] };
