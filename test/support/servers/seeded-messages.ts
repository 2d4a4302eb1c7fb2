import { randomUUID } from 'node:crypto';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { MESSAGES_STREAM, type MessageSent } from '../../../src/events/messages/messages.events.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import type { EngineSettings } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { NewEvent } from '../../../src/platform/log/event-store.js';

/** Characters of JSON in an append: EventStoreDB takes 1 MiB. */
const APPEND = 512 * 1024;
const KEYS_AT_ONCE = 500;

/** Appends messages to a log as they are, without a server: many more a second than clients can send. */
export async function seedMessages(
  settings: EngineSettings,
  to: { readonly senderId: number; readonly channelId: number; readonly topic: string },
  texts: readonly string[],
): Promise<void> {
  const { senderId, channelId, topic } = to;
  const engines = await openEngines(settings);
  try {
    const codec = new EventCodec(engines.contentKeys, eventRegistry);
    const metadata = { actorId: senderId, client: 'seed', at: Date.now(), correlationId: 'seed', causationId: null };
    let events: NewEvent[] = [];
    let length = 0;
    const append = async (): Promise<void> => {
      if (events.length > 0) await engines.eventStore.append(MESSAGES_STREAM, events, 'any');
      [events, length] = [[], 0];
    };
    for (let from = 0; from < texts.length; from += KEYS_AT_ONCE) {
      const sealed = texts
        .slice(from, from + KEYS_AT_ONCE)
        .map((text) => ({ text, keyId: randomUUID(), key: newContentKey() }));
      await Promise.all(sealed.map(({ keyId, key }) => engines.contentKeys.putIfAbsent(keyId, key)));
      for (const { text, ...sealing } of sealed) {
        const sent: MessageSent = {
          type: 'MessageSent',
          data: {
            senderId,
            recipient: { type: 'channel', channelId, topic },
            readBySender: true,
            localEcho: null,
            sendKey: null,
            content: { text, rendered: `<p>${text}</p>`, rendererVersion: 1 },
          },
        };
        const event = codec.encode(sent, sealing.keyId, metadata, sealing);
        events.push(event);
        length += JSON.stringify(event.data).length;
        if (length > APPEND) await append();
      }
    }
    await append();
  } finally {
    await engines.close();
  }
}
