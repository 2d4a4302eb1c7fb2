import { describe, expect, it } from '@jest/globals';
import { registryOf } from '../../../src/events/event-registry.js';
import type { ContentKey } from '../../../src/platform/content-keys/content-keys.js';
import { newContentKey, seal } from '../../../src/platform/content-keys/seal.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { defineEvent } from '../../../src/platform/kernel/event-definition.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { type NewEvent, type StoredEvent, UnreadableEvent } from '../../../src/platform/log/event-store.js';

type NoteWritten = DomainEvent<'NoteWritten', { authorId: number; shelf: string; words: { text: string } | null }>;

const noteWritten = defineEvent<NoteWritten>({
  type: 'NoteWritten',
  version: 3,
  concerns: () => ({}),
  sealed: { field: 'words', under: 'own key', shownTo: 'auditors' },
  upcasters: {
    1: ({ author, ...data }) => ({ ...data, authorId: author ?? null }),
    2: (data) => ({ ...data, shelf: 'unsorted' }),
  },
});

const cause = { actorId: 7, client: 'test', at: 1, correlationId: 'c', causationId: null };
const note: NoteWritten = { type: 'NoteWritten', data: { authorId: 7, shelf: 'top', words: { text: 'psst' } } };
const stored = (event: NewEvent): StoredEvent => ({ ...event, stream: 'notes', revision: 4, position: 9 });

function codecWith(keys: Map<string, ContentKey>) {
  const getMany = (ids: readonly string[]) =>
    Promise.resolve(new Map(ids.flatMap((id) => (keys.has(id) ? [[id, keys.get(id) as ContentKey] as const] : []))));
  return new EventCodec({ getMany }, registryOf([noteWritten]));
}

describe('the event codec', () => {
  it('stores content only sealed, and opens it when it decodes', async () => {
    const key = newContentKey();
    const codec = codecWith(new Map([['k', key]]));
    const written = codec.encode(note, 'e1', cause, { keyId: 'k', key });
    expect(written).toMatchObject({ id: 'e1', type: 'NoteWritten', version: 3, metadata: cause });
    expect(JSON.stringify(written)).not.toContain('psst');
    expect(await codec.decode([stored(written)])).toEqual([
      { ...note, id: 'e1', stream: 'notes', revision: 4, position: 9, metadata: written.metadata },
    ]);
  });

  it('gives every event a nonce of its own, equal events too', () => {
    const key = newContentKey();
    const codec = codecWith(new Map());
    const nonces = Array.from(
      { length: 1000 },
      () => codec.encode(note, 'e1', cause, { keyId: 'k', key }).metadata.nonce,
    );
    expect(nonces.filter((nonce) => !/^[\w-]{22}$/.test(nonce ?? ''))).toEqual([]);
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  it('decodes content whose key is gone as null, and everything else unchanged', async () => {
    const key = newContentKey();
    const codec = codecWith(new Map());
    const [read] = await codec.decode([stored(codec.encode(note, 'e1', cause, { keyId: 'k', key }))]);
    expect(read?.data).toEqual({ authorId: 7, shelf: 'top', words: null });
  });

  describe('of an event with the address of its request', () => {
    const month = 'address:7:2026-01';
    const keys = { content: newContentKey(), address: newContentKey() };
    const both = new Map([
      ['k', keys.content],
      [month, keys.address],
    ]);
    const address = seal('203.0.113.7', month, keys.address);
    const written = codecWith(both).encode(note, 'e1', { ...cause, address }, { keyId: 'k', key: keys.content });

    it('leaves the address out, unless it is asked for', async () => {
      const [read] = await codecWith(both).decode([stored(written)]);
      expect(read?.metadata).toEqual({ ...cause, nonce: written.metadata.nonce });
      expect(codecWith(both).decodeWithoutContent([stored(written)])[0]?.metadata).toEqual(read?.metadata);
      const [asked] = await codecWith(both).decodeWithAddresses([stored(written)]);
      expect(asked).toEqual({ ...read, metadata: { ...read?.metadata, address: '203.0.113.7' } });
    });

    it('gives null once the key of the address is destroyed', async () => {
      const [read] = await codecWith(new Map([['k', keys.content]])).decodeWithAddresses([stored(written)]);
      expect(read).toMatchObject({ data: note.data, metadata: { address: null } });
    });

    it('gives no address if there is none, and looks up no key', async () => {
      const { words: _, ...data } = written.data;
      const event = stored({ ...written, data: { ...data, words: null }, metadata: cause });
      const unused = { getMany: () => Promise.reject(new Error('no key is needed')) };
      const [read] = await new EventCodec(unused, registryOf([noteWritten])).decodeWithAddresses([event]);
      expect(read?.metadata).toEqual(cause);
    });

    it('looks up all keys at once, each address key once', async () => {
      const asked: (readonly string[])[] = [];
      const getMany = (ids: readonly string[]) => {
        asked.push(ids);
        return Promise.resolve(both);
      };
      await new EventCodec({ getMany }, registryOf([noteWritten])).decodeWithAddresses([
        stored(written),
        stored(written),
      ]);
      expect(asked).toEqual([['k', 'k', month]]);
    });
  });

  it('refuses to encode content without a key', () => {
    expect(() => codecWith(new Map()).encode(note, 'e1', cause)).toThrow('needs a key');
  });

  it('upcasts retired versions step by step', async () => {
    const key = newContentKey();
    const codec = codecWith(new Map([['k', key]]));
    const { words } = codec.encode(note, 'e1', cause, { keyId: 'k', key }).data;
    const retired = (version: number, data: object): StoredEvent =>
      stored({ id: 'e1', type: 'NoteWritten', version, metadata: cause, data: { ...data, words: words ?? null } });
    const [first, second] = await codec.decode([retired(1, { author: 7 }), retired(2, { authorId: 7 })]);
    expect(first?.data).toEqual({ authorId: 7, shelf: 'unsorted', words: { text: 'psst' } });
    expect(second?.data).toEqual(first?.data);
  });

  it('names an event whose content is not what its key has sealed', async () => {
    const key = newContentKey();
    const written = stored(codecWith(new Map()).encode(note, 'e1', cause, { keyId: 'k', key }));
    const failure = await codecWith(new Map([['k', newContentKey()]]))
      .decode([written])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnreadableEvent);
    expect(failure).toHaveProperty(
      'message',
      'NoteWritten e1 (notes@4, position 9) cannot be read: its content is not what its key has sealed',
    );
  });

  it('refuses events that a newer program wrote', async () => {
    const codec = codecWith(new Map());
    const newer = { id: 'e', version: 4, metadata: cause, data: {} };
    await expect(codec.decode([stored({ ...newer, type: 'NoteWritten' })])).rejects.toThrow('newer Annals');
    await expect(codec.decode([stored({ ...newer, type: 'NoteBurned' })])).rejects.toThrow('unknown event type');
  });
});

describe('the registry of events', () => {
  it('refuses two events of one name, and a version without upcasters to it', () => {
    expect(() => registryOf([noteWritten, noteWritten])).toThrow('defined twice');
    expect(() => registryOf([{ type: 'NoteWritten', version: 2, concerns: () => ({}) }])).toThrow(
      'no upcaster from version 1',
    );
  });
});
