import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import type { Role } from '../../src/events/shared/role.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';

/** Maximum number of client events of one domain event. */
const RANKS = 4096;

/** The lowest rank of a client event. The ids below are for ephemeral events, which come after the position before. */
export const FIRST_RANK = 512;

/**
 * Computes the id of a client event from its cause's position and its rank (D10). Below 2^53: positions are below 2^41.
 */
export const clientEventId = (position: Position, rank: number): number => position * RANKS + rank;

/** Gives the highest id that a client event at `position` can have. */
export const lastIdAt = (position: Position): number => position * RANKS + RANKS - 1;

/** Gives the highest id after `id` that comes before the ids of all client events still to come. */
export const lastEphemeralIdAfter = (id: number): number => Math.max(id, positionOf(id + 1) * RANKS + FIRST_RANK - 1);

/** Gives the highest id that a client can have been given while `head` was the newest position of the log. */
export const lastIdWithHead = (head: Position): number => lastEphemeralIdAfter(lastIdAt(head));

export const positionOf = (clientEventId: number): Position => Math.floor(clientEventId / RANKS);

export const rankOf = (clientEventId: number): number => clientEventId - positionOf(clientEventId) * RANKS;

/** A rule that selects readers, evaluated at the event's position. It selects all readers that any property names. */
export interface AudienceRule {
  readonly everyone?: true;
  readonly roles?: readonly Role[];
  /** Id of a channel: its subscribers both before and after the event. */
  readonly subscribersOf?: number;
  /** Ids of channels: users who were ever subscribed to one of them before the event. */
  readonly everSubscribedTo?: readonly number[];
  /** Ids of groups: their members, direct or through subgroups, without guests. */
  readonly groups?: readonly GroupSettingValue[];
  readonly userIds?: readonly number[];
}

/** The readers of a client event. The size of this rule does not depend on the number of readers. */
export interface Audience extends AudienceRule {
  /** If set, only readers that this rule selects, too. */
  readonly among?: AudienceRule;
  readonly except?: AudienceRule;
}

/**
 * A part of the state that a client gets when it registers. Each part is read at its own position. The name is
 * `organization`, `messages`, or a name that the feature chooses.
 */
export type StatePart = string;

/** An entry of the feed, the same for all readers. */
export interface ClientEventDocument<Payload extends object = object, Kind extends string = string>
  extends StoredDocument {
  readonly _id: number;
  /** Position of the domain event. The feed is read by position. */
  readonly position: Position;
  /** The published type, with the operation if there is one: `stream/create`. */
  readonly kind: Kind;
  readonly part: StatePart;
  readonly audience: Audience;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: Payload;
}

/** Gives the published type, which queues name in `event_types`. */
export const typeOf = (kind: string): string => kind.split('/', 1)[0] ?? kind;
