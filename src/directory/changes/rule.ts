import type { DocumentId } from '../../platform/documents/document-store.js';
import type { DomainEvent, Recorded } from '../../platform/kernel/event.js';
import type { Position } from '../../platform/kernel/position.js';
import type {
  DirectoryKind,
  DirectoryRecords,
  PositionInterval,
  RecordChange,
  RecordLookup,
} from '../directory.records.js';

/** How one type of event changes the records. Applying an event again changes nothing. */
export interface Rule<E extends DomainEvent> {
  /** Ids of the records that `changes` reads. */
  readonly touches: (event: Recorded<E>) => readonly (readonly [DirectoryKind, DocumentId])[];
  readonly changes: (event: Recorded<E>, get: RecordLookup) => readonly RecordChange[];
}

export type Rules<Event extends DomainEvent> = {
  readonly [T in Event['type']]: Rule<Extract<Event, { type: T }>>;
};

const none = (): readonly [] => [];

/** The id of the one record of the organization. */
export const organization = (): 'organization' => 'organization';

/** The id of the record of the user whom an event concerns. */
export const ofUser = ({ data }: { readonly data: { readonly userId: number } }): number => data.userId;

/** The rule of an event that creates a record. */
export const creates = <E extends DomainEvent>(record: (event: Recorded<NoInfer<E>>) => RecordChange): Rule<E> => ({
  touches: none,
  changes: (event) => [record(event)],
});

/** The rule of an event that changes one existing record. @param change gives the fields that change */
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
