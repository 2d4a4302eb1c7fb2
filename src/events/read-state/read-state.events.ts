import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** Changes of one user's own flags of messages: reports, on which no decision depends. */
export const readStateStream = (userId: number): string => `${READ_STATE_STREAMS}${userId}`;

export const READ_STATE_STREAMS = 'readState-';

/** The message flags that users can change themselves. */
export const OWN_FLAGS = ['read', 'starred', 'collapsed'] as const;
export type OwnFlag = (typeof OWN_FLAGS)[number];

/** Message ids from the first to the last, both included. */
export type IdRange = readonly [from: number, to: number];

interface FlagChange {
  readonly userId: number;
  readonly flag: OwnFlag;
  /** Ascending and disjoint: the messages whose flag has changed. */
  readonly ranges: readonly IdRange[];
}

/** A user has marked messages, such as read or starred. */
export type FlagsAdded = DomainEvent<'FlagsAdded', FlagChange>;

/** A user has taken marks from messages. */
export type FlagsRemoved = DomainEvent<'FlagsRemoved', FlagChange>;

/** Marks every message before it in the log as read: an intention, of the same size for any number of messages. */
export type AllMessagesRead = DomainEvent<'AllMessagesRead', { readonly userId: number }>;

export type ReadStateEvent = FlagsAdded | FlagsRemoved | AllMessagesRead;

export const readStateEvents = [
  defineEvent<FlagsAdded>({ type: 'FlagsAdded', concerns: concernsUser }),
  defineEvent<FlagsRemoved>({ type: 'FlagsRemoved', concerns: concernsUser }),
  defineEvent<AllMessagesRead>({ type: 'AllMessagesRead', concerns: concernsUser }),
];

/** The ids as disjoint ranges, ascending. @param ids in any order */
export function rangesOf(ids: readonly number[]): IdRange[] {
  const ranges: [number, number][] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && id <= last[1] + 1) last[1] = Math.max(last[1], id);
    else ranges.push([id, id]);
  }
  return ranges;
}

export function idsIn(ranges: readonly IdRange[]): number[] {
  const ids: number[] = [];
  for (const [from, to] of ranges) for (let id = from; id <= to; id++) ids.push(id);
  return ids;
}
