import type { DirectoryEvent } from '../../src/directory/directory.changes.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { ClientEventDocument } from '../client-events.documents.js';
import type { EventHandlers, OwnDocuments } from '../projection.js';
import { type Kept, keepRecords } from './records.js';
import { written } from './written.js';

/** What clients are told of one type of event; nothing where nobody is told. */
export type TellingRule<E extends DirectoryEvent> = (
  event: Recorded<E>,
  after: Kept['after'],
  documents: OwnDocuments,
) => readonly ClientEventDocument[] | Promise<readonly ClientEventDocument[]>;

export type TellingRules<Event extends DirectoryEvent> = {
  readonly [T in Event['type']]: TellingRule<Extract<Event, { type: T }>>;
};

/** Nobody is told. */
export const silent = (): readonly ClientEventDocument[] => [];

/** Keeps the feed's copies of the records, then tells clients by the rule of the event's type. */
export function directoryHandlers<Event extends DirectoryEvent>(rules: TellingRules<Event>): EventHandlers<Event> {
  const handlers = Object.entries<TellingRule<DirectoryEvent>>(rules as never).map(([type, tell]) => [
    type,
    async (event: Recorded<DirectoryEvent>, documents: OwnDocuments) => {
      const { changes, after } = await keepRecords(event, documents);
      return [...changes, ...(await written(event, documents, await tell(event, after, documents)))];
    },
  ]);
  return Object.fromEntries(handlers) as EventHandlers<Event>;
}
