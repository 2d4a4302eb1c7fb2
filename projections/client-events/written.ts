import type { DomainEvent, Recorded } from '../../src/platform/kernel/event.js';
import {
  type Change,
  type EventHandlers,
  insert,
  type OwnDocuments,
} from '../../src/platform/read-models/projection.js';
import type { Audience, ClientEventDocument } from './client-events.documents.js';
import { trim } from './client-events.retention.js';

/** Stores the client events of one domain event, and removes the client events that the feed forgets at this event. */
export async function written(
  event: Recorded,
  documents: OwnDocuments,
  entries: readonly ClientEventDocument[],
): Promise<readonly Change[]> {
  return [...entries.map((document) => insert('events', document)), ...(await trim(event, documents))];
}

type ToldToOwner<E extends DomainEvent> = {
  readonly [T in E['type']]?: (
    event: Recorded<Extract<E, { type: T }>>,
    own: Audience,
  ) => readonly ClientEventDocument[];
};

/** Rules of events that only the user's own clients are told. `own` is their audience. */
export function toldToOwner<E extends DomainEvent<string, { readonly userId: number }>>(
  rules: ToldToOwner<E>,
): EventHandlers<E> {
  // Each rule gets events of its own type only.
  const entries = Object.entries(rules) as [string, (event: Recorded<E>, own: Audience) => ClientEventDocument[]][];
  const handlers = entries.map(([type, entriesOf]) => {
    const handler = (event: Recorded<E>, documents: OwnDocuments) =>
      written(event, documents, entriesOf(event, { userIds: [event.data.userId] }));
    return [type, handler] as const;
  });
  return Object.fromEntries(handlers) as unknown as EventHandlers<E>;
}
