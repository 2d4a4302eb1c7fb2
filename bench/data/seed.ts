import { randomUUID } from 'node:crypto';
import { eventRegistry } from '../../src/events/event-registry.js';
import { newContentKey } from '../../src/platform/content-keys/seal.js';
import type { EngineSettings } from '../../src/platform/engines/engines.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { newEventId } from '../../src/platform/kernel/ids.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import { cyclic } from '../driver/cyclic.js';
import { Messages } from './messages.js';
import type { Organization } from './organization.js';
import { readingHistory } from './reading.js';

/** Messages of one append: they stay below the 1 MiB that EventStoreDB takes at once. */
const BATCH = 500;

/** Days that the messages are spread over. The feed keeps events for longer, so it holds them all: its hardest case. */
const DAYS = 20;
const DAY = 86_400_000;

/**
 * Writes a log and its content keys, through the project's own ports and codec. The server builds the documents.
 */
export async function seedLog({
  engines: settings,
  organization,
  messages: count,
  days = DAYS,
  onProgress,
}: {
  readonly engines: EngineSettings;
  readonly organization: Organization;
  readonly messages: number;
  /** Days that the messages are spread over. */
  readonly days?: number;
  /** Called with the number of messages written so far. */
  readonly onProgress: (done: number) => void;
}): Promise<{ events: number; seconds: number }> {
  const startedAt = performance.now();
  const engines = await openEngines(settings);
  const { eventStore, contentKeys } = engines;
  const codec = new EventCodec(contentKeys, eventRegistry);
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
        const key = cyclic(sealing, index);
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
