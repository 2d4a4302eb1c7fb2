import { Command } from '../../../platform/kernel/deciding.js';
import { seconds } from '../../../platform/kernel/durations.js';

/** Seconds from one ping of a client to its next, as register tells it. */
export const PING_SECONDS = 60;
/** A client that has not pinged for so many seconds is offline. */
export const OFFLINE_SECONDS = 200;

/** A ping that comes sooner after the one before changes nothing. */
const LEAST_MS = 55_000;
/** Who was active longer ago comes online by being active. */
const GONE_MS = 130_000;
/** The older form has one status: active, if the last activity came at most so long before the last ping. */
const ACTIVE_MS = 70_000;
/** Who stops to share their presence looks offline at once, on a client whose clock is late, too. */
const HIDDEN_MS = (OFFLINE_SECONDS + 120) * 1000;

export type PresenceStatus = 'active' | 'idle';

/** Times in milliseconds since 1970. */
export interface Presence {
  /** null: never, or not told. */
  readonly activeAt: number | null;
  /** The last ping, idle ones included. */
  readonly connectedAt: number;
}

export class UpdatePresence extends Command<{ userId: number; status: string }> {}

/** What a ping changes; null: nothing that others are told. */
export function pinged(
  before: Presence | undefined,
  status: PresenceStatus,
  now: number,
): { readonly presence: Presence; readonly comesOnline: boolean } | null {
  const { activeAt = null, connectedAt = 0 } = before ?? {};
  const isActive = status === 'active' && (activeAt === null || now - activeAt > LEAST_MS);
  if (!isActive && now - connectedAt <= LEAST_MS) return null;
  return {
    presence: { activeAt: isActive ? now : activeAt, connectedAt: now },
    comesOnline: isActive && (activeAt === null || now - activeAt > GONE_MS),
  };
}

/** The presence of somebody who stops to share it, or begins to. */
export const presenceOnSharing = (isShared: boolean, now: number): Presence =>
  isShared ? { activeAt: now, connectedAt: now } : { activeAt: null, connectedAt: now - HIDDEN_MS };

/** Whether the user sits at a client, and sees messages there. */
export const isActive = ({ activeAt }: Presence, now: number): boolean =>
  activeAt !== null && now - activeAt <= OFFLINE_SECONDS * 1000;

export interface StatusAt {
  readonly status: PresenceStatus;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** The presence as clients of the older form are told it. */
export const statusAt = ({ activeAt, connectedAt }: Presence): StatusAt =>
  activeAt !== null && activeAt + ACTIVE_MS >= connectedAt
    ? { status: 'active', timestamp: seconds(activeAt) }
    : { status: 'idle', timestamp: seconds(connectedAt) };

/** Seconds since 1970. */
interface PresenceTimestamps {
  readonly active_timestamp?: number;
  readonly idle_timestamp: number;
}

export const timestampsOf = ({ activeAt, connectedAt }: Presence): PresenceTimestamps => ({
  ...(activeAt !== null && { active_timestamp: seconds(activeAt) }),
  idle_timestamp: seconds(connectedAt),
});
