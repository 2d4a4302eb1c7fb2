import type { Position } from './position.js';

/** What happened, in today's shape: `type` is the stored name, `data` the payload that deciders and projections see. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Who and when, the same for every event (D6). */
export interface EventMetadata {
  /** The user who acted; null where the server itself did. */
  readonly actorId: number | null;
  /** Name of the client program, from its User-Agent. */
  readonly client: string;
  /** Server clock, milliseconds since 1970. */
  readonly at: number;
  /** The same for all that follows from one request. */
  readonly correlationId: string;
  /** Id of the event that this one follows from; null for the first. */
  readonly causationId: string | null;
}

/** An event read back from the log, brought to today's shape. */
export type Recorded<E extends DomainEvent = DomainEvent> = E & {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0 without gaps. */
  readonly revision: number;
  /** Place in the log. */
  readonly position: Position;
  readonly metadata: EventMetadata;
};

/** Which event lies where: a log that has another one there, or none, is another log. */
export interface EventPlace {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** Of an event, without what is in it. */
export const placeOf = ({ id, stream, revision, position }: EventPlace): EventPlace => ({
  id,
  stream,
  revision,
  position,
});
