// @ts-check
import { randomUUID } from 'node:crypto';
import { openEngines } from '../../dist/src/config/open-engines.js';
import { newContentKey } from '../../dist/src/content-keys/seal.js';
import { EventCodec } from '../../dist/src/event-codec/event-codec.js';
import { newEventId } from '../../dist/src/kernel/new-event-id.js';

import { Messages } from './messages.js';
import { readingHistory } from './reading.js';

/** Within what EventStoreDB takes at once, 1 MiB. */
const BATCH = 500;

/** Everything lies within what the client-event feed keeps: the hardest case for the feed and for a rebuild. */
const DAYS = 20;
const DAY = 86_400_000;

/**
 * @typedef {object} Settings
 * @property {string} dataDirectory
 * @property {{ eventStoreUrl: string, streamPrefix: string, mongodbUrl: string }} [distributed]
 */

/**
 * Writes a log with its content keys, through the project's own ports and codec. What is derived from it is left to
 * the server.
 *
 * @param {object} options
 * @param {Settings} options.engines which ones, as `openEngines` takes them
 * @param {import('./organization.js').Organization} options.organization
 * @param {number} options.messages
 * @param {number} [options.days] that the messages are spread over
 * @param {(done: number) => void} options.onProgress messages written so far
 * @returns {Promise<{ events: number, seconds: number }>}
 */
export async function seedLog({ engines: settings, organization, messages: count, days = DAYS, onProgress }) {
  const startedAt = performance.now();
  const engines = await openEngines(settings);
  const { eventStore, contentKeys } = engines;
  const codec = new EventCodec(contentKeys);
  const begin = Date.now() - days * DAY;
  const metadata = { actorId: null, client: 'annals', at: begin, correlationId: randomUUID(), causationId: null };
  let written = 0;
  try {
    for (const { stream, events } of organization.history()) {
      const encoded = events.map((event) => codec.encode(event, newEventId(), metadata));
      await eventStore.append(stream, encoded, 'any');
      written += events.length;
    }

    const messages = new Messages(organization);
    const step = (days * DAY) / count;
    for (let first = 0; first < count; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
      const sealing = await Promise.all(
        numbers.map(async () => {
          const keyId = newEventId();
          return { keyId, key: (await contentKeys.putIfAbsent(keyId, newContentKey())).key };
        }),
      );
      const encoded = numbers.map((n, index) => {
        const event = messages.event(n);
        const key = /** @type {typeof sealing[number]} */ (sealing[index]);
        const at = Math.floor(begin + n * step);
        const by = { actorId: event.data.senderId, client: 'website', at, correlationId: key.keyId, causationId: null };
        return codec.encode(event, key.keyId, by, key);
      });
      await eventStore.append('messages', encoded, 'any');
      written += encoded.length;
      onProgress(first + encoded.length);
    }

    for (const { stream, events } of readingHistory(organization, messages, count)) {
      const encoded = events.map((event) => codec.encode(event, newEventId(), { ...metadata, at: Date.now() }));
      await eventStore.append(stream, encoded, 'any');
      written += encoded.length;
    }
  } finally {
    await engines.close();
  }
  return { events: written, seconds: (performance.now() - startedAt) / 1000 };
}
