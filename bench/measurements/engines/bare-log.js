// @ts-check
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ANY, BACKWARDS, END, FORWARDS, jsonEvent, START, StreamNotFoundError } from '@eventstore/db-client';
import { newContentKey } from '../../../dist/src/content-keys/seal.js';
import { EventCodec } from '../../../dist/src/event-codec/event-codec.js';
import { newEventId } from '../../../dist/src/kernel/new-event-id.js';
import { Messages } from '../../data/messages.js';

// EventStoreDB without Annals: its own client, and events as Annals writes them.

/** @typedef {import('../../servers/engines.js').Engines} Engines */

const PREPARED = 2000;

/**
 * Events of the size that messages have in the log, their words sealed.
 *
 * @param {import('../../data/organization.js').Organization} organization
 * @returns {() => ReturnType<typeof jsonEvent>} the next one, under an id of its own
 */
export function sealedEvents(organization) {
  const codec = new EventCodec({ getMany: async () => new Map() });
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
    const event = /** @type {typeof prepared[number]} */ (prepared[n++ % PREPARED]);
    return jsonEvent({ id: newEventId(), ...event });
  };
}

/** @param {Engines} engines @param {ReturnType<typeof jsonEvent>} event */
export async function appendBare({ eventStore, bareStream }, event) {
  await eventStore.appendToStream(bareStream, event, { expectedRevision: ANY });
}

/** -1 where there is no such stream. @param {Engines} engines @param {string} stream */
async function newestRevision({ eventStore }, stream) {
  try {
    const newest = eventStore.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
    for await (const { event } of newest) if (event) return Number(event.revision);
    return -1;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return -1;
    throw error;
  }
}

/** How often it is looked for: small beside what is measured, milliseconds. */
const LOOK_EVERY = 10;

/**
 * From now on.
 *
 * @param {Engines} engines
 * @param {string} stream
 * @param {number} count
 * @returns {Promise<() => Promise<void>>} resolves when the stream has got so many events more
 */
export async function moreEvents(engines, stream, count) {
  const wanted = (await newestRevision(engines, stream)) + count;
  return async () => {
    while ((await newestRevision(engines, stream)) < wanted) await pause(LOOK_EVERY);
  };
}

/**
 * The log from its first event, whoever's events they are.
 *
 * @param {Engines} engines
 * @param {number} limit
 */
export async function readBare({ eventStore }, limit) {
  let events = 0;
  const startedAt = performance.now();
  for await (const { event } of eventStore.readAll({ direction: FORWARDS, fromPosition: START, maxCount: limit })) {
    if (event) events++;
  }
  return { events, perSecond: (1000 * events) / (performance.now() - startedAt) };
}

/**
 * Tells of each event of a stream as it arrives, from now on.
 *
 * @param {Engines} engines
 * @param {string} stream
 * @param {() => void} onEvent
 * @returns {Promise<() => Promise<void>>} the way to stop
 */
export async function followBare({ eventStore }, stream, onEvent) {
  const subscription = eventStore.subscribeToStream(stream, { fromRevision: END });
  await new Promise((resolve, reject) => {
    subscription.once('confirmation', resolve);
    subscription.once('error', reject);
  });
  subscription.on('data', onEvent);
  return () => subscription.unsubscribe();
}
