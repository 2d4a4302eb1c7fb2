import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ANY, BACKWARDS, END, FORWARDS, jsonEvent, START, StreamNotFoundError } from '@eventstore/db-client';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { Messages } from '../../data/messages.js';
import type { Organization } from '../../data/organization.js';
import { cyclic } from '../../driver/cyclic.js';
import type { Engines } from '../../servers/engines.js';

// EventStoreDB without Annals: its own client, and events as Annals writes them.

const PREPARED = 2000;

/**
 * Prepares events as large as messages in the log, their content sealed.
 *
 * @returns a function that gives the next event, under an id of its own
 */
export function sealedEvents(organization: Organization): () => ReturnType<typeof jsonEvent> {
  const codec = new EventCodec({ getMany: async () => new Map() }, eventRegistry);
  const messages = new Messages(organization);
  const prepared = Array.from({ length: PREPARED }, (_, n) => {
    const event = messages.event(n);
    const by = {
      actorId: event.data.senderId,
      client: 'website',
      at: Date.now(),
      correlationId: randomUUID(),
      causationId: null,
    };
    const id = newEventId();
    const { type, version, data, metadata } = codec.encode(event, id, by, { keyId: id, key: newContentKey() });
    return { type, data, metadata: { schemaVersion: version, ...metadata } };
  });
  let n = 0;
  return () => {
    const event = cyclic(prepared, n++);
    return jsonEvent({ id: newEventId(), ...event });
  };
}

export async function appendBare({ eventStore, bareStream }: Engines, event: ReturnType<typeof jsonEvent>) {
  await eventStore.appendToStream(bareStream, event, { expectedRevision: ANY });
}

/** Finds the revision of a stream's newest event; -1 if there is no such stream. */
async function newestRevision({ eventStore }: Engines, stream: string) {
  try {
    const newest = eventStore.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
    for await (const { event } of newest) if (event) return Number(event.revision);
    return -1;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return -1;
    throw error;
  }
}

/** Milliseconds between two looks: small beside the measured times. */
const LOOK_EVERY = 10;

/**
 * Begins to wait for further events of a stream.
 *
 * @returns a function that resolves when so many have come
 */
export async function moreEvents(engines: Engines, stream: string, count: number): Promise<() => Promise<void>> {
  const wanted = (await newestRevision(engines, stream)) + count;
  return async () => {
    while ((await newestRevision(engines, stream)) < wanted) await pause(LOOK_EVERY);
  };
}

/** Reads the log from its first event, other programs' events included. */
export async function readBare({ eventStore }: Engines, limit: number) {
  let events = 0;
  const startedAt = performance.now();
  for await (const { event } of eventStore.readAll({ direction: FORWARDS, fromPosition: START, maxCount: limit })) {
    if (event) events++;
  }
  return { events, perSecond: (1000 * events) / (performance.now() - startedAt) };
}

/**
 * Calls back for each event of a stream that arrives from now on.
 *
 * @returns a function that stops it
 */
export async function followBare(
  { eventStore }: Engines,
  stream: string,
  onEvent: () => void,
): Promise<() => Promise<void>> {
  const subscription = eventStore.subscribeToStream(stream, { fromRevision: END });
  await new Promise((resolve, reject) => {
    subscription.once('confirmation', resolve);
    subscription.once('error', reject);
  });
  subscription.on('data', onEvent);
  return () => subscription.unsubscribe();
}
