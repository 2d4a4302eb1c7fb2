import type { DocumentId } from '../../document-store/document-store.js';
import type { DomainEvent, Recorded } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type {
  DirectoryKind,
  DirectoryRecords,
  PositionInterval,
  RecordChange,
  RecordLookup,
} from '../directory.records.js';

/** How one type of event changes the records; applying an event again changes nothing. */
export interface Rule<E extends DomainEvent> {
  /** Ids of the records that the change is made from. */
  readonly touches: (event: Recorded<E>) => readonly (readonly [DirectoryKind, DocumentId])[];
  readonly changes: (event: Recorded<E>, get: RecordLookup) => readonly RecordChange[];
}

export type Rules<Event extends DomainEvent> = {
  readonly [T in Event['type']]: Rule<Extract<Event, { type: T }>>;
};

const none = (): readonly [] => [];

/** An event that brings a record into being. */
export const creates = <E extends DomainEvent>(record: (event: Recorded<NoInfer<E>>) => RecordChange): Rule<E> => ({
  touches: none,
  changes: (event) => [record(event)],
});

/** An event that changes one record that is there. @param change what becomes different */
export const alters = <E extends DomainEvent, K extends DirectoryKind>(
  kind: K,
  id: (event: Recorded<NoInfer<E>>) => DocumentId,
  change: (event: Recorded<NoInfer<E>>, before: DirectoryRecords[K]) => Partial<DirectoryRecords[K]>,
): Rule<E> => ({
  touches: (event) => [[kind, id(event)]],
  changes: (event, get) => {
    const before = get(kind, id(event));
    if (!before || before.position >= event.position) return [];
    return [{ kind, record: { ...before, ...change(event, before), position: event.position } } as RecordChange];
  },
});

export const begun = (intervals: readonly PositionInterval[], position: Position): PositionInterval[] => [
  ...intervals,
  { from: position, to: null },
];

export const ended = <I extends PositionInterval>(intervals: readonly I[], position: Position): I[] =>
  intervals.map((interval) => (interval.to === null ? { ...interval, to: position } : interval));
