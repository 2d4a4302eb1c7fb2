import { batch, signal } from '@preact/signals';
import type { ClientEvent, Registered } from './client-events.js';
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
import { evolveUnread, initialUnread, type Unread } from './state/unread.js';

/** 0: nothing is known yet. */
export const myId = signal(0);
export const people = signal<People>(new Map());
export const channels = signal<Channels>(new Map());
export const directs = signal<Directs>(new Map());
export const unread = signal<Unread>(new Map());

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
    for (const follower of followers) follower.started?.(state);
  });
}

export function applyAll(events: readonly ClientEvent[]): void {
  batch(() => {
    for (const event of events) {
      people.value = evolvePeople(people.value, event);
      channels.value = evolveChannels(channels.value, event);
      directs.value = evolveDirects(directs.value, event, myId.value);
      unread.value = evolveUnread(unread.value, event, myId.value);
      for (const follower of followers) follower.happened(event);
    }
  });
}
