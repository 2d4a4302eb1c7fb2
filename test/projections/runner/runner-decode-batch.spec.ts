import { describe, expect, it } from '@jest/globals';
import { decodeBatch } from '../../../projections/runner/decode-batch.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { ContentKeysUnavailable } from '../../../src/platform/content-keys/content-keys.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { userCreated } from '../../support/projections/roster.js';

const key = newContentKey();
const keysOf = (found: ReadonlyMap<string, Uint8Array>) => ({ getMany: async () => found });
const codec = new EventCodec(keysOf(new Map([['k', key]])), eventRegistry);
const metadata = { actorId: null, client: 'test', at: 1, correlationId: 'c', causationId: null };

const messageSent = (text: string): DomainEvent => ({
  type: 'MessageSent',
  data: {
    senderId: 1,
    recipient: { type: 'direct', userIds: [1] },
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: { text, rendered: text, rendererVersion: 1 },
  },
});

const stored = (position: number, event: DomainEvent, sealedUnder = key): StoredEvent => ({
  ...codec.encode(event, `e${position}`, metadata, { keyId: 'k', key: sealedUnder }),
  stream: 's',
  revision: position - 1,
  position,
});

describe('a batch of the log', () => {
  it('is decoded as a whole', async () => {
    const batch = await decodeBatch(codec, [stored(1, userCreated(1)), stored(2, messageSent('hello'))]);
    expect(batch.undecodable).toEqual([]);
    expect(batch.events).toMatchObject([{ position: 1 }, { position: 2, data: { content: { text: 'hello' } } }]);
  });

  it('keeps events that cannot be decoded apart from the others', async () => {
    const altered = stored(2, messageSent('other words'), newContentKey());
    const future = { ...stored(3, userCreated(2)), version: 99 };
    const batch = await decodeBatch(codec, [
      stored(1, userCreated(1)),
      altered,
      future,
      stored(4, messageSent('last')),
    ]);
    expect(batch.events.map(({ position }) => position)).toEqual([1, 4]);
    expect(batch.undecodable.map(({ event }) => event.position)).toEqual([2, 3]);
    expect(String(batch.undecodable[1]?.error)).toContain('newer Annals');
  });

  it('fails as unavailable while the content keys are unavailable', async () => {
    const away = new EventCodec({ getMany: () => Promise.reject(new ContentKeysUnavailable('away')) }, eventRegistry);
    await expect(decodeBatch(away, [stored(1, messageSent('hello'))])).rejects.toThrow(ContentKeysUnavailable);
  });
});
