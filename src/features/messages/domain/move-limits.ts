import type { PropagateMode } from '../../../events/messages/topics.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** Time after the limit in which a move still passes: its mover may have begun in time. */
const GRACE_SECONDS = 20;

/** Greatest age of messages that may be moved; null: any. */
export interface MoveLimits {
  readonly withinChannelSeconds: number | null;
  readonly betweenChannelsSeconds: number | null;
}

/** Facts about a move that the limits depend on. */
export interface LimitedMove {
  readonly changesTopic: boolean;
  readonly changesChannel: boolean;
  /** Topics can be resolved and unresolved at any time. */
  readonly isResolution: boolean;
  /** Limits do not apply to administrators and moderators. */
  readonly isExempt: boolean;
}

/** Numbers of a topic's messages that the mover can see, and may move. */
export interface MovableMessages {
  readonly total: number;
  readonly allowed: number;
  /** The oldest message that may be moved; null: none. */
  readonly firstAllowedId: number | null;
}

/** Earliest time that a movable message was sent, in milliseconds since 1970; null: any time. */
export function movableSince(move: LimitedMove, limits: MoveLimits, now: number): number | null {
  if (move.isExempt || move.isResolution) return null;
  const seconds = [
    ...(move.changesTopic ? [limits.withinChannelSeconds] : []),
    ...(move.changesChannel ? [limits.betweenChannelsSeconds] : []),
  ].filter((limit) => limit !== null);
  return seconds.length === 0 ? null : now - (Math.min(...seconds) + GRACE_SECONDS) * 1000;
}

/**
 * Refuses users "other than administrators and moderators" who "move messages past the applicable time limit".
 *
 * @param anchorSentAt in milliseconds since 1970
 * @throws DomainError MOVE_TOO_LATE
 */
export function requireYoungEnough(
  mode: PropagateMode,
  anchorSentAt: number,
  since: number | null,
  { total, allowed, firstAllowedId }: MovableMessages,
): void {
  if (since === null) return;
  const tooOld = mode === 'change_all' ? allowed < total : anchorSentAt < since;
  if (!tooOld) return;
  refuse('MOVE_TOO_LATE', {
    first_message_id_allowed_to_move: firstAllowedId,
    total_messages_allowed_to_move: allowed,
    total_messages_in_topic: total,
  });
}
