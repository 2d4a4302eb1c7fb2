import type { ClientEvent, Presences, Registered, Seen } from '../client-events.js';

/** Who was seen, and when. */
export interface Presence {
  readonly seen: ReadonlyMap<number, Seen>;
  /** Names the newest change in it: the server tells later ones alone. */
  readonly lastUpdateId: number;
  /** The time at the server, in seconds, when it last told. */
  readonly now: number;
  readonly offlineSeconds: number;
}

export const NO_PRESENCE: Presence = { seen: new Map(), lastUpdateId: -1, now: 0, offlineSeconds: 0 };

export const initialPresence = (state: Registered): Presence =>
  withTold({ ...NO_PRESENCE, offlineSeconds: state.server_presence_offline_threshold_seconds }, state);

/** What the answer to one's own presence tells of others. */
export const withTold = (presence: Presence, told: Presences): Presence => ({
  ...presence,
  seen: withSeen(presence.seen, told.presences),
  lastUpdateId: told.presence_last_update_id,
  now: told.server_timestamp,
});

export const evolvePresence = (presence: Presence, event: ClientEvent): Presence =>
  event.type === 'presence' ? { ...presence, seen: withSeen(presence.seen, event.presences) } : presence;

const withSeen = (seen: Presence['seen'], told: Presences['presences']): Presence['seen'] =>
  new Map([...seen, ...Object.entries(told).map(([id, one]) => [Number(id), one] as const)]);

export type Whereabouts = 'active' | 'idle' | 'offline';

export function whereaboutsOf({ seen, now, offlineSeconds }: Presence, userId: number): Whereabouts {
  const { active_timestamp: active = 0, idle_timestamp: idle = 0 } = seen.get(userId) ?? {};
  if (now - active <= offlineSeconds) return 'active';
  return now - idle <= offlineSeconds ? 'idle' : 'offline';
}
