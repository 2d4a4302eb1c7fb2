import type { Position } from './position.js';

/** An event in today's shape: `type` is the stored name, `data` the payload that deciders and projections see. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** The cause and time of an event, in the same shape for every type (D6). */
export interface EventMetadata {
  /** The acting user; null for the server itself. */
  readonly actorId: number | null;
  /** Name of the client program, from its User-Agent. */
  readonly client: string;
  /** Server clock, milliseconds since 1970. */
  readonly at: number;
  /** Shared by all events that follow from one request. */
  readonly correlationId: string;
  /** Id of the event that this one follows from; null for the first. */
  readonly causationId: string | null;
  /**
   * 128 random bits, base64url: keep a digest of the event from being confirmed by guesses (D15). Events of Annals 0.5.0 and
   * older have none.
   */
  readonly nonce?: string;
  /**
   * Address of the client whose request this is; null once its key is destroyed (D24). Only in events that were decoded with
   * addresses. Absent if no request led here directly, or if the server kept no addresses then.
   */
  readonly address?: string | null;
  /**
   * The operating system's user who gave the command on the command line. Absent if nobody did, and in consequences:
   * their cause has it.
   */
  readonly operator?: string;
}

/** An event read back from the log, brought to today's shape. */
export type Recorded<E extends DomainEvent = DomainEvent> = E & {
  readonly id: string;
  readonly stream: string;
  /** Number of the event in its stream, from 0 without gaps. */
  readonly revision: number;
  /** Position in the log. */
  readonly position: Position;
  readonly metadata: EventMetadata;
};

/** The place of an event in a log. A log with another event there, or none, is another log. */
export interface EventPlace {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** The place of an event, without its data. */
export const placeOf = ({ id, stream, revision, position }: EventPlace): EventPlace => ({
  id,
  stream,
  revision,
  position,
});
