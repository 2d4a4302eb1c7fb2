import { applyDecorators, Injectable, SetMetadata, type Type } from '@nestjs/common';
import type { StatePart } from '../../../projections/client-events/client-events.documents.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Position } from '../../platform/kernel/position.js';
import type { Projection } from '../../platform/read-models/projection.js';

/** Reads a feature's parts of the register response. The class of a reader is decorated by `ReadsState`. */
export interface StateReader {
  /** Read models of the `messages` parts, which are as of the least position of all readers' sources and the feed. */
  readonly sources?: readonly Projection[];
  /**
   * Called in the turn of the event loop that reads the directory's position: facts that it takes from the directory are
   * as of that position.
   */
  parts(context: RegisterContext): StateParts;
}

/** A client that registers. */
export interface RegisterContext {
  readonly reader: UserRecord;
  readonly request: StateRequest;
  /** @param name of a part */
  isWanted(name: string): boolean;
}

/** The options of a registering client. */
export interface StateRequest {
  /** Names of parts; unknown ones are ignored. null: everything. */
  readonly fetchTypes: readonly string[] | null;
  readonly clientGravatar: boolean;
  readonly includeSubscribers: boolean;
  /** Whether presences are in the modern form. */
  readonly slimPresence: boolean;
  /** Days back that presences are given for; null: as the server chooses. */
  readonly presenceHistoryDays: number | null;
  readonly clientCapabilities: Readonly<Record<string, boolean>>;
}

/** By the name under which clients fetch the part. Several features may have fields of one part. */
type Parts<Read> = Readonly<Record<string, Read>>;

export interface StateParts {
  /** Empty parts for features that are not built. A part that any reader gives is not empty any more. */
  readonly absent?: Parts<object>;
  /** From the directory, read in the turn that reads its position. */
  readonly organization?: Parts<() => object>;
  /** From documents, as of `through`. Flags may be newer: applying their events twice changes nothing. */
  readonly messages?: Parts<(through: Position) => Promise<object>>;
  /** The reader's own fields; not read if none is wanted. */
  readonly own?: OwnState;
}

interface OwnState {
  readonly part: StatePart;
  /** Names under which its fields are fetched. */
  readonly names: readonly string[];
  /**
   * @param names the wanted ones, at least one
   * @param at the least position that the fields may be read at
   * @returns `position`: the position that the fields were read at
   */
  read(names: readonly string[], at: Position): Promise<{ readonly state: object; readonly position: Position }>;
}

/** Nest token: every reader of every feature. */
export const STATE_READERS = Symbol('StateReaders');

/** Marks the class of a reader, and makes it injectable. */
export const ReadsState = (): ((reader: Type<StateReader>) => void) =>
  applyDecorators(Injectable(), SetMetadata(STATE_READERS, true));
