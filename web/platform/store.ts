import { batch, signal } from '@preact/signals';
import type { ClientEvent, Presences, Registered, Settings } from './client-events.js';
import {
  type Channels,
  type Directs,
  evolveChannels,
  evolveDirects,
  evolvePeople,
  initialChannels,
  initialDirects,
  initialPeople,
  type People,
} from './state/directory.js';
import { evolveOrganization, initialOrganization, type Organization } from './state/organization.js';
import { evolvePresence, initialPresence, NO_PRESENCE, withTold } from './state/presence.js';
import { evolveSettings } from './state/settings.js';
import { evolveStatuses, initialStatuses, type Statuses } from './state/statuses.js';
import { evolveUnread, initialUnread, type Unread } from './state/unread.js';

/** 0: nothing is known yet. */
export const myId = signal(0);
export const people = signal<People>(new Map());
export const channels = signal<Channels>(new Map());
export const directs = signal<Directs>(new Map());
export const unread = signal<Unread>(new Map());
/** In characters: the server cuts what is longer. */
export const longestMessage = signal(Number.POSITIVE_INFINITY);
/** One's own; null: they are not known yet. */
export const settings = signal<Settings | null>(null);
/** null: it is not known yet. */
export const organization = signal<Organization | null>(null);
/** Whom the permissions of the organization, of a channel and of a group can be given to. */
export const permissionRules = signal<Registered['server_supported_permission_settings']>({
  realm: {},
  stream: {},
  group: {},
});

export const presence = signal(NO_PRESENCE);
export const statuses = signal<Statuses>(new Map());

export interface Follower {
  /** All may have changed: there is a new queue. */
  started?(state: Registered): void;
  happened(event: ClientEvent): void;
}

const followers = new Set<Follower>();

/** Tells a feature of each event after the store has it. @returns ends that */
export function follow(follower: Follower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

export function startWith(state: Registered): void {
  batch(() => {
    myId.value = state.user_id;
    people.value = initialPeople(state);
    channels.value = initialChannels(state);
    directs.value = initialDirects(state);
    unread.value = initialUnread(state);
    longestMessage.value = state.max_message_length;
    settings.value = state.user_settings;
    organization.value = initialOrganization(state);
    permissionRules.value = state.server_supported_permission_settings;
    presence.value = initialPresence(state);
    statuses.value = initialStatuses(state);
    for (const follower of followers) follower.started?.(state);
  });
}

/** Others answer to one's own presence. */
export function learnPresence(told: Presences): void {
  presence.value = withTold(presence.value, told);
}

export function applyAll(events: readonly ClientEvent[]): void {
  batch(() => {
    for (const event of events) {
      people.value = evolvePeople(people.value, event);
      channels.value = evolveChannels(channels.value, event);
      directs.value = evolveDirects(directs.value, event, myId.value);
      unread.value = evolveUnread(unread.value, event, myId.value);
      settings.value = settings.value && evolveSettings(settings.value, event);
      organization.value = organization.value && evolveOrganization(organization.value, event);
      presence.value = evolvePresence(presence.value, event);
      statuses.value = evolveStatuses(statuses.value, event);
      for (const follower of followers) follower.happened(event);
    }
  });
}
