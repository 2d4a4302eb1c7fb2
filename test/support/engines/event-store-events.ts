import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/platform/kernel/json.js';
import type { EventStore, NewEvent, StoredEvent } from '../../../src/platform/log/event-store.js';

export function newEvent(type: string, data: JsonObject = {}, id = randomUUID() as string): NewEvent {
  const metadata = { actorId: 7, client: 'contract', at: 1_700_000_000_000, correlationId: id, causationId: null };
  return { id, type, version: 1, data, metadata };
}

export const newEvents = (type: string, count: number): NewEvent[] =>
  Array.from({ length: count }, (_, index) => newEvent(type, { index }));

/** Makes stream names that no other test uses, because suites share an engine. */
export function ownStreams(): (name: string) => string {
  const run = randomUUID().slice(0, 8);
  return (name) => `t${run}${name}`;
}

export const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

/** Appends more large events than a batch, or the memory of newest events, has room for; and some small ones. */
export async function appendLarge(store: EventStore, stream: string): Promise<NewEvent[]> {
  const large = { text: 'x'.repeat(256 * 1024) };
  const events = Array.from({ length: 175 }, (_, index) => newEvent('Grown', index % 5 === 0 ? {} : large));
  for (const event of events) await store.append(stream, [event], 'any');
  return events;
}

export const bytesOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);

/** Reads the events of these streams after a position, in pages. */
export async function readPages(
  store: EventStore,
  after: number,
  limit: number,
  prefix: string,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let position = after, caughtUp = false; !caughtUp; ) {
    const page = await store.readAll({ after: position, limit, filter: { streamPrefixes: [prefix] } });
    events.push(...page.events);
    ({ position, caughtUp } = page);
  }
  return events;
}
