import { describe, expect, it } from '@jest/globals';
import type { SavedSnippetEvent } from '../../../src/events/saved-snippets/saved-snippets.events.js';
import {
  CreateSavedSnippet,
  DeleteSavedSnippet,
  decideCreateSavedSnippet,
  decideDeleteSavedSnippet,
  decideEditSavedSnippet,
  EditSavedSnippet,
  MOST_SNIPPETS,
  savedSnippets,
} from '../../../src/features/saved-snippets/domain/saved-snippets.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const greeting = { title: 'Greeting', content: 'Welcome!' };
const created = (snippetId: number, text = greeting): SavedSnippetEvent => ({
  type: 'SavedSnippetCreated',
  data: { userId: 1, snippetId, keyId: `key ${snippetId}`, text },
});
const edited = (snippetId: number, text: Partial<typeof greeting>): SavedSnippetEvent => ({
  type: 'SavedSnippetEdited',
  data: { userId: 1, snippetId, text },
});
const deleted = (snippetId: number): SavedSnippetEvent => ({
  type: 'SavedSnippetDeleted',
  data: { userId: 1, snippetId, keyId: `key ${snippetId}` },
});

describe('creating a saved snippet', () => {
  const when = (text: typeof greeting, history: readonly SavedSnippetEvent[] = []) =>
    given(savedSnippets, history).when(decideCreateSavedSnippet, new CreateSavedSnippet({ userId: 1, text, by }), {
      keyId: `key ${history.length + 1}`,
      maxLength: 20,
    });

  it('numbers it from 1, and strips title and content', () => {
    when({ title: ' Greeting\n', content: '\n Welcome! ' }).then([created(1)]);
  });

  it('never reuses a number', () => {
    when(greeting, [created(1), deleted(1)]).then([
      { type: 'SavedSnippetCreated', data: { userId: 1, snippetId: 2, keyId: 'key 3', text: greeting } },
    ]);
  });

  it('accepts the longest title and content, and refuses longer ones', () => {
    const longest = { title: '😀'.repeat(60), content: '😀'.repeat(20) };
    when(longest).then([created(1, longest)]);
    when({ ...greeting, title: 'x'.repeat(61) }).thenRefuses('SNIPPET_TITLE_TOO_LONG');
    when({ ...greeting, content: 'x'.repeat(21) }).thenRefuses('SNIPPET_CONTENT_TOO_LONG');
  });

  it('refuses empty text and null bytes', () => {
    when({ ...greeting, title: ' \n' }).thenRefuses('SNIPPET_TITLE_EMPTY');
    when({ ...greeting, content: '' }).thenRefuses('SNIPPET_CONTENT_EMPTY');
    when({ ...greeting, title: 'a\0b' }).thenRefuses('SNIPPET_HAS_NULL_BYTES');
    when({ ...greeting, content: 'a\0b' }).thenRefuses('SNIPPET_HAS_NULL_BYTES');
  });

  it('refuses one more than a user may have', () => {
    const full = Array.from({ length: MOST_SNIPPETS }, (_, index) => created(index + 1));
    when(greeting, full).thenRefuses('TOO_MANY_SNIPPETS');
    when(greeting, [...full, deleted(7)]).then([
      { type: 'SavedSnippetCreated', data: { userId: 1, snippetId: 1001, keyId: 'key 1002', text: greeting } },
    ]);
  });
});

describe('editing a saved snippet', () => {
  const when = (text: Partial<typeof greeting>, history: readonly SavedSnippetEvent[] = [created(1)]) =>
    given(savedSnippets, history).when(
      decideEditSavedSnippet,
      new EditSavedSnippet({ userId: 1, snippetId: 1, text, by }),
      { maxLength: 20 },
    );

  it('appends only the changed fields', () => {
    when({ content: ' Hello ' }).then([edited(1, { content: 'Hello' })]);
    when({ title: 'Other', content: 'Welcome!' }).then([edited(1, { title: 'Other' })]);
    when({ title: 'Greeting' }, [created(1), edited(1, { title: 'Other' })]).then([edited(1, { title: 'Greeting' })]);
  });

  it('does nothing when nothing changes', () => {
    when({}).thenNothing();
    when(greeting).thenNothing();
    when({ title: 'Other' }, [created(1), edited(1, { title: 'Other' })]).thenNothing();
  });

  it('refuses a missing snippet before it checks the text', () => {
    when({ title: '' }, []).thenRefuses('SNIPPET_NOT_FOUND');
    when({ title: 'Other' }, [created(1), deleted(1)]).thenRefuses('SNIPPET_NOT_FOUND');
    when({ title: '' }).thenRefuses('SNIPPET_TITLE_EMPTY');
    when({ content: 'x'.repeat(21) }).thenRefuses('SNIPPET_CONTENT_TOO_LONG');
  });
});

describe('a user whose snippets are large together', () => {
  const large = Array.from({ length: 8 }, (_, index) =>
    created(index + 1, { title: 'Large', content: 'x'.repeat(500_000) }),
  );
  const maxLength = 1_000_000;
  const create = (content: string, history: readonly SavedSnippetEvent[]) =>
    given(savedSnippets, history).when(
      decideCreateSavedSnippet,
      new CreateSavedSnippet({ userId: 1, text: { title: 'New', content }, by }),
      { keyId: 'key 9', maxLength },
    );
  const edit = (content: string, history: readonly SavedSnippetEvent[]) =>
    given(savedSnippets, history).when(
      decideEditSavedSnippet,
      new EditSavedSnippet({ userId: 1, snippetId: 1, text: { content }, by }),
      {
        maxLength,
      },
    );

  it('creates another one only while there is room', () => {
    create('x'.repeat(190_000), large).then([created(9, { title: 'New', content: 'x'.repeat(190_000) })]);
    create('x'.repeat(195_000), large).thenRefuses('SNIPPETS_TOO_LARGE', { limit: 4 });
    create('x'.repeat(195_000), [...large, deleted(1)]).then([
      created(9, { title: 'New', content: 'x'.repeat(195_000) }),
    ]);
  });

  it('makes one longer only while there is room, and shorter at any time', () => {
    const longer = 'x'.repeat(700_000);
    edit(longer, large).thenRefuses('SNIPPETS_TOO_LARGE', { limit: 4 });
    edit(longer, [...large, edited(2, { content: 'short' })]).then([edited(1, { content: longer })]);
    const tooLarge = [...large, created(9, { title: 'More', content: longer })];
    edit('short', tooLarge).then([edited(1, { content: 'short' })]);
    edit('y'.repeat(500_000), tooLarge).then([edited(1, { content: 'y'.repeat(500_000) })]);
  });
});

describe('deleting a saved snippet', () => {
  const when = (history: readonly SavedSnippetEvent[]) =>
    given(savedSnippets, history).when(
      decideDeleteSavedSnippet,
      new DeleteSavedSnippet({ userId: 1, snippetId: 1, by }),
      undefined,
    );

  it('names the key to destroy', () => {
    when([created(1), edited(1, { title: 'Other' })]).then([deleted(1)]);
  });

  it('refuses a missing snippet', () => {
    when([]).thenRefuses('SNIPPET_NOT_FOUND');
    when([created(1), deleted(1)]).thenRefuses('SNIPPET_NOT_FOUND');
  });
});

describe('the state of snippets', () => {
  it('has no content', () => {
    const state = [created(1), edited(1, { content: 'Hello' })].reduce(
      savedSnippets.evolve,
      savedSnippets.initialState,
    );
    expect(JSON.stringify(state)).not.toMatch(/Greeting|Welcome|Hello/);
  });
});
