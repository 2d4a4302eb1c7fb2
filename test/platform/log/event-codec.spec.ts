import { describe, expect, it } from '@jest/globals';
import { registryOf } from '../../../src/events/event-registry.js';
import type { ContentKey } from '../../../src/platform/content-keys/content-keys.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { defineEvent } from '../../../src/platform/kernel/event-definition.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { NewEvent, StoredEvent } from '../../../src/platform/log/event-store.js';

type NoteWritten = DomainEvent<'NoteWritten', { authorId: number; shelf: string; words: { text: string } | null }>;

const noteWritten = defineEvent<NoteWritten>({
  type: 'NoteWritten',
  version: 3,
  concerns: () => ({}),
  sealed: { field: 'words', under: 'own key' },
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

  it('refuses to encode content without a key', () => {
    expect(() => codecWith(new Map()).encode(note, 'e1', cause)).toThrow('needs a key');
  });

  it('upcasts retired versions step by step', async () => {
    const key = newContentKey();
    const codec = codecWith(new Map([['k', key]]));
    const { words } = codec.encode(note, 'e1', cause, { keyId: 'k', key }).data;
    const retired = (version: number, data: object): StoredEvent =>
      stored({ id: 'e', type: 'NoteWritten', version, metadata: cause, data: { ...data, words: words ?? null } });
    const [first, second] = await codec.decode([retired(1, { author: 7 }), retired(2, { authorId: 7 })]);
    expect(first?.data).toEqual({ authorId: 7, shelf: 'unsorted', words: { text: 'psst' } });
    expect(second?.data).toEqual(first?.data);
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
