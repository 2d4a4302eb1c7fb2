import { refuse } from '../../kernel/domain-error.js';
import type { PropagateMode } from './topics.events.js';

/** How long after the limit a move still passes: whoever asks for it may have begun in time. */
const GRACE_SECONDS = 20;

/** How old messages may be that somebody moves; null: there is no limit. */
export interface MoveLimits {
  readonly withinChannelSeconds: number | null;
  readonly betweenChannelsSeconds: number | null;
}

/** What of a move the limits are about. */
export interface LimitedMove {
  readonly changesTopic: boolean;
  readonly changesChannel: boolean;
  /** Topics are resolved, and that is taken back, at any time. */
  readonly isResolution: boolean;
  /** Administrators and moderators move whatever they like. */
  readonly isExempt: boolean;
}

/** What of a topic somebody may move, as far as they can see it. */
export interface MovableMessages {
  readonly total: number;
  readonly allowed: number;
  /** The oldest of those allowed; null: none is. */
  readonly firstAllowedId: number | null;
}

/** When the oldest message was sent that the move may take, in milliseconds since 1970; null: of any age. */
export function movableSince(move: LimitedMove, limits: MoveLimits, now: number): number | null {
  if (move.isExempt || move.isResolution) return null;
  const seconds = [
    ...(move.changesTopic ? [limits.withinChannelSeconds] : []),
    ...(move.changesChannel ? [limits.betweenChannelsSeconds] : []),
  ].filter((limit) => limit !== null);
  return seconds.length === 0 ? null : now - (Math.min(...seconds) + GRACE_SECONDS) * 1000;
}

/**
 * api.md, endpoint 2, rule 2.
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
  // Who asked for one message is not offered others.
  const offered = mode === 'change_one' ? { allowed: 0, firstAllowedId: null } : { allowed, firstAllowedId };
  refuse('MOVE_TOO_LATE', {
    first_message_id_allowed_to_move: offered.firstAllowedId,
    total_messages_allowed_to_move: offered.allowed,
    total_messages_in_topic: total,
  });
}
