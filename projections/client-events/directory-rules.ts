import type { DirectoryEvent } from '../../src/directory/directory.changes.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { EventHandlers, OwnDocuments } from '../../src/platform/read-models/projection.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { type Kept, keepRecords } from './records.js';
import { written } from './written.js';

/** The client events of one type of event. */
export type ClientEventRule<E extends DirectoryEvent> = (
  event: Recorded<E>,
  after: Kept['after'],
  documents: OwnDocuments,
) => readonly ClientEventDocument[] | Promise<readonly ClientEventDocument[]>;

export type ClientEventRules<Event extends DirectoryEvent> = {
  readonly [T in Event['type']]: ClientEventRule<Extract<Event, { type: T }>>;
};

/** The rule of events without client events. */
export const noClientEvent = (): readonly ClientEventDocument[] => [];

/** Keeps the feed's copies of the records, then adds the client events by the rule of the event's type. */
export function directoryHandlers<Event extends DirectoryEvent>(rules: ClientEventRules<Event>): EventHandlers<Event> {
  const handlers = Object.entries<ClientEventRule<DirectoryEvent>>(rules as never).map(([type, tell]) => [
    type,
    async (event: Recorded<DirectoryEvent>, documents: OwnDocuments) => {
      const { changes, after } = await keepRecords(event, documents);
      return [...changes, ...(await written(event, documents, await tell(event, after, documents)))];
    },
  ]);
  return Object.fromEntries(handlers) as EventHandlers<Event>;
}
