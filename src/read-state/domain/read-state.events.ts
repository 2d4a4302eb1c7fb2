import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

/** Reports of what one user has done to messages for themselves; nothing is decided on them. */
export const readStateStream = (userId: number): string => `${READ_STATE_STREAMS}${userId}`;

export const READ_STATE_STREAMS = 'readState-';

/** Those that a user can change themselves (api.md, Message flags). */
export const OWN_FLAGS = ['read', 'starred', 'collapsed'] as const;
export type OwnFlag = (typeof OWN_FLAGS)[number];

/** Message ids from the first to the last, both included. */
export type IdRange = readonly [from: number, to: number];

interface FlagChange {
  readonly userId: number;
  readonly flag: OwnFlag;
  /** Ascending, apart from each other: the messages whose flag was otherwise before. */
  readonly ranges: readonly IdRange[];
}

export type FlagsAdded = DomainEvent<'FlagsAdded', FlagChange>;

export type FlagsRemoved = DomainEvent<'FlagsRemoved', FlagChange>;

/** Of every message before it in the log: an intention, small whatever it marks. */
export type AllMessagesRead = DomainEvent<'AllMessagesRead', { readonly userId: number }>;

export type ReadStateEvent = FlagsAdded | FlagsRemoved | AllMessagesRead;

export const readStateEvents = [
  defineEvent<FlagsAdded>({ type: 'FlagsAdded', version: 1 }),
  defineEvent<FlagsRemoved>({ type: 'FlagsRemoved', version: 1 }),
  defineEvent<AllMessagesRead>({ type: 'AllMessagesRead', version: 1 }),
];

/** @param ids in any order */
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
