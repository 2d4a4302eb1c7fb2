import type { DomainEvent, EventMetadata, Recorded } from '../../../src/platform/kernel/event.js';

export type InHistory = readonly [stream: string, event: DomainEvent, metadata?: Partial<EventMetadata>];

/** Makes events as read from a log: `history(['users', { type: …, data: … }], …)`. Positions begin at 1. */
export function history(...entries: readonly InHistory[]): Recorded[] {
  const revisions = new Map<string, number>();
  return entries.map(([stream, event, metadata], index) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const position = index + 1;
    return { ...event, id: eventId(position), stream, revision, position, metadata: metadataOf(position, metadata) };
  });
}

/** Time between two events: a second. */
const metadataOf = (position: number, metadata: Partial<EventMetadata> = {}): EventMetadata => ({
  actorId: null,
  client: 'test',
  at: 1_700_000_000_000 + position * 1000,
  correlationId: eventId(position),
  causationId: null,
  ...metadata,
});

const eventId = (position: number): string => `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`;
