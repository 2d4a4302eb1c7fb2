import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import type { Role } from '../../src/events/shared/role.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';

/** Room for the client events of one domain event. */
const RANKS = 4096;

/**
 * Client events are numbered by where their cause is in the log, and by their rank under it: computed, never counted
 * (D10). Below 2^53, since positions are below 2^41.
 */
export const clientEventId = (position: Position, rank: number): number => position * RANKS + rank;

/** No client event of anything up to `position` has a higher id, and every later one has. */
export const lastIdAt = (position: Position): number => position * RANKS + RANKS - 1;

export const positionOf = (clientEventId: number): Position => Math.floor(clientEventId / RANKS);

/** People, as a rule that holds as of the event's position: whoever any of the lines names. */
export interface AudienceRule {
  readonly everyone?: true;
  readonly roles?: readonly Role[];
  /** A channel: whoever was subscribed before the event and was still after it. */
  readonly subscribersOf?: number;
  /** Channels: whoever had been subscribed to one of them before the event, and perhaps is no longer. */
  readonly everSubscribedTo?: readonly number[];
  /** Groups: whoever is in one of them, through any number of groups, and is no guest. */
  readonly groups?: readonly GroupSettingValue[];
  readonly userIds?: readonly number[];
}

/** Who gets a client event. It names no one by name whose number grows with the audience of a message. */
export interface Audience extends AudienceRule {
  /** Of those, only whom this names too. */
  readonly among?: AudienceRule;
  readonly except?: AudienceRule;
}

/**
 * A part of the state that a client registers with, read at a position of its own: `organization`, `messages`, or a
 * name that the feature chooses whose state it is.
 */
export type StatePart = string;

/** One event of the feed, before it is somebody's. */
export interface ClientEventDocument<Payload extends object = object, Kind extends string = string>
  extends StoredDocument {
  readonly _id: number;
  /** Of its cause: what the feed is read by. */
  readonly position: Position;
  /** The published type, and the operation where it has one: `stream/create`. */
  readonly kind: Kind;
  readonly part: StatePart;
  readonly audience: Audience;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: Payload;
}

/** What a queue names in `event_types`: the part of the kind before the operation. */
export const typeOf = (kind: string): string => kind.split('/', 1)[0] ?? kind;
