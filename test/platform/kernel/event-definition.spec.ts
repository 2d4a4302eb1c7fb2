import { describe, expect, it } from '@jest/globals';
import { endedContent, endsContent, makesKey, ownKeyId } from '../../../src/platform/kernel/content-duties.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { defineEvent } from '../../../src/platform/kernel/event-definition.js';

type Words = { readonly text: string } | null;
type Written = DomainEvent<'Written', { readonly keyId: string; readonly words: Words }>;
type Rewritten = DomainEvent<
  'Rewritten',
  { readonly keyId: string; readonly previousKeyId: string; readonly words: Words; readonly place: Words }
>;
type Added = DomainEvent<'Added', { readonly words: Words; readonly apiKeyId: string | null }>;
type Deleted = DomainEvent<'Deleted', { readonly keyId: string; readonly fileId: string }>;

const own = { field: 'words', under: 'own key', shownTo: 'auditors' } as const;
const written = defineEvent<Written>({
  type: 'Written',
  version: 1,
  concerns: () => ({}),
  sealed: own,
  keys: { keyId: 'seals' },
});
const rewritten = defineEvent<Rewritten>({
  type: 'Rewritten',
  version: 1,
  concerns: () => ({}),
  sealed: own,
  unsealed: { place: 'where it is' },
  keys: { keyId: 'seals', previousKeyId: 'ends' },
});
const added = defineEvent<Added>({
  type: 'Added',
  version: 1,
  concerns: () => ({}),
  sealed: { ...own, under: 'existing key' },
});
const deleted = defineEvent<Deleted>({
  type: 'Deleted',
  version: 1,
  concerns: () => ({}),
  keys: { keyId: 'ends' },
  endsFiles: ['fileId'],
});
type Replaced = DomainEvent<'Replaced', { readonly fileId: string; readonly previousFileId: string | null }>;
const replaced = defineEvent<Replaced>({
  type: 'Replaced',
  version: 1,
  concerns: () => ({}),
  endsFiles: ['previousFileId'],
});

describe("an event's definition", () => {
  it('tells which keys and files an event seals under and ends', () => {
    const words = { text: 'words' };
    const again: Rewritten = {
      type: 'Rewritten',
      data: { keyId: 'new', previousKeyId: 'old', words, place: null },
    };
    expect(ownKeyId(rewritten, again)).toBe('new');
    expect(endedContent(rewritten, again)).toEqual({ keyIds: ['old'], fileIds: [] });
    const gone: Deleted = { type: 'Deleted', data: { keyId: 'new', fileId: 'file' } };
    expect(ownKeyId(deleted, gone)).toBeUndefined();
    expect(endedContent(deleted, gone)).toEqual({ keyIds: ['new'], fileIds: ['file'] });
    const another: Replaced = { type: 'Replaced', data: { fileId: 'new', previousFileId: 'old' } };
    expect(endedContent(replaced, another)).toEqual({ keyIds: [], fileIds: ['old'] });
    const first: Replaced = { type: 'Replaced', data: { fileId: 'new', previousFileId: null } };
    expect(endedContent(replaced, first)).toEqual({ keyIds: [], fileIds: [] });
    expect([written, rewritten, added, deleted].filter(makesKey)).toEqual([written, rewritten]);
    expect([written, rewritten, added, deleted, replaced].filter(endsContent)).toEqual([rewritten, deleted, replaced]);
  });

  it('refuses an event without the id that it has to name', () => {
    expect(() => endedContent(deleted, { type: 'Deleted', data: { fileId: 'file' } })).toThrow('has no id in keyId');
  });

  it('is refused at compile time if it forgets a duty', () => {
    const rest = { version: 1, concerns: () => ({}) };
    const keys = { keyId: 'seals' } as const;
    const forgetful = [
      // @ts-expect-error what happens to the key is not said
      defineEvent<Written>({ type: 'Written', ...rest, sealed: own }),
      // @ts-expect-error the content is neither sealed nor said to be none
      defineEvent<Written>({ type: 'Written', ...rest, keys: { keyId: 'names' } }),
      // @ts-expect-error what happens to the previous key is not said
      defineEvent<Rewritten>({ type: 'Rewritten', ...rest, sealed: own, unsealed: { place: 'a place' }, keys }),
      // @ts-expect-error `place` may hold content too
      defineEvent<Rewritten>({ type: 'Rewritten', ...rest, sealed: own, keys: { ...keys, previousKeyId: 'ends' } }),
      // @ts-expect-error whose key seals the content is not said
      defineEvent<Added>({ type: 'Added', ...rest, sealed: { field: 'words', shownTo: 'nobody' } }),
      // @ts-expect-error who is shown the words is not said
      defineEvent<Added>({ type: 'Added', ...rest, sealed: { field: 'words', under: 'existing key' } }),
      // @ts-expect-error there is no content that the key could seal
      defineEvent<Deleted>({ type: 'Deleted', ...rest, keys }),
    ];
    expect(forgetful.map(({ type }) => type)).toHaveLength(7);
  });

  it('is refused at compile time if it names another field', () => {
    const rest = { version: 1, concerns: () => ({}) };
    const mistaken = [
      // @ts-expect-error a key's id is no content
      defineEvent<Written>({ type: 'Written', ...rest, sealed: { ...own, field: 'keyId' }, keys: { keyId: 'seals' } }),
      // @ts-expect-error the payload has no such key
      defineEvent<Deleted>({ type: 'Deleted', ...rest, keys: { keyId: 'ends', previousKeyId: 'ends' } }),
      // @ts-expect-error the payload has no such account
      defineEvent<Added>({ type: 'Added', ...rest, sealed: { ...own, shownTo: { only: 'userId' } } }),
      // @ts-expect-error the payload has no such file
      defineEvent<Deleted>({ type: 'Deleted', ...rest, keys: { keyId: 'ends' }, endsFiles: ['file'] }),
      // @ts-expect-error an API key seals no content
      defineEvent<Added>({ type: 'Added', ...rest, sealed: own, keys: { apiKeyId: 'names' } }),
    ];
    expect(mistaken).toHaveLength(5);
  });
});
