import { describe, expect, it } from '@jest/globals';
import { firstSealedIn } from '../../../src/app/cli/copy-keys.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { streamOfEnd } from '../../../src/events/stream-of-end.js';
import { monthKeyId } from '../../../src/platform/content-keys/month-key.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { KEY_MISSING } from '../../../src/platform/kernel/key-missing.js';
import { START } from '../../../src/platform/kernel/position.js';
import { isEventId } from '../../../src/platform/log/encode-append.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { CodecForPeople, KeyEnds } from '../../../src/platform/log/key-ends.js';
import { withOwnEngines } from '../../support/engines/own-engines.js';
import { appendReleasedLog } from '../../support/events/released-log.js';

describe('the ends of keys', () => {
  it('are each in the stream in which they are looked for', () =>
    withOwnEngines(async ({ settings }) => {
      await appendReleasedLog(settings, '0.6.0');
      const { eventStore, close, contentKeys } = await openEngines(settings);
      try {
        const codec = new EventCodec(contentKeys, eventRegistry);
        const { events } = await eventStore.readAll({ after: START, limit: 100_000 });
        const sealed = [...firstSealedIn(events)].map(([keyId, { event }]) => [keyId, event] as const);
        const own = new Map(sealed.filter(([keyId]) => isEventId(keyId)));
        const ended = new Set(codec.keysEndedBy(events));
        const missing = await new KeyEnds(eventStore, codec, streamOfEnd).withoutEnd(own, []);
        const found = [...own.values()].filter(({ id }) => !missing.has(id)).map(({ type }) => type);
        expect([...own.keys()].filter((keyId) => !missing.has(keyId))).toEqual(
          [...own.keys()].filter((keyId) => ended.has(keyId)),
        );
        expect(new Set(found).size).toBeGreaterThan(10);
      } finally {
        await close();
      }
    }));

  it('of months are told by their names, without a reading of the log', async () => {
    const codec = new EventCodec({ getMany: async () => new Map() }, eventRegistry);
    const readStream = () => Promise.reject(new Error('no event tells it'));
    const event = { id: 'e', type: 'LoginFailed', version: 1, data: {}, stream: 'accesses', revision: 1, position: 1 };
    const stored = { ...event, metadata: { actorId: null, client: '', at: 0, correlationId: '', causationId: null } };
    const [running, over] = [monthKeyId('access', Date.now()), 'access:2020-01'];
    const needed = new Map([running, over].map((keyId) => [keyId, stored]));
    const missing = await new KeyEnds({ readStream }, codec, streamOfEnd).withoutEnd(needed, []);
    expect([...missing.keys()]).toEqual([running]);
  });

  it('are looked for only if content is shown and its key is not there', async () => {
    const keyId = newEventId();
    const key = newContentKey();
    const data = { ownerId: 1, clientId: 'c', content: { name: 'a' } };
    const cause = { actorId: 1, client: '', at: 0, correlationId: '', causationId: null };
    const codec = (keys: ReadonlyMap<string, Uint8Array>) =>
      new EventCodec({ getMany: async () => keys }, eventRegistry);
    const written = codec(new Map()).encode({ type: 'FileUploaded', data }, keyId, cause, { keyId, key });
    const stored = { ...written, stream: 'uploads', revision: 4, position: 9 };
    const read: string[] = [];
    const readStream = async (stream: string) => {
      read.push(stream);
      return [];
    };
    const opened = async (keys: ReadonlyMap<string, Uint8Array>, isShown: boolean) => {
      const ends = new KeyEnds({ readStream }, codec(keys), streamOfEnd);
      const events = await new CodecForPeople(codec(keys), ends).decodeWithAddresses([stored, stored], () => isShown);
      return events.map(({ data }) => Reflect.get(data, 'content'));
    };
    expect(await opened(new Map([[keyId, key]]), true)).toEqual([data.content, data.content]);
    expect(await opened(new Map(), false)).toEqual([null, null]);
    expect(read).toEqual([]);
    expect(await opened(new Map(), true)).toEqual([KEY_MISSING, KEY_MISSING]);
    expect(read).toEqual(['upload-5']);
  });
});
