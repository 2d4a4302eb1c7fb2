import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { savedSnippets } from '../../../projections/saved-snippets/saved-snippets.projection.js';
import type { SavedSnippetEvent, SnippetText } from '../../../src/events/saved-snippets/saved-snippets.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const of = (...events: SavedSnippetEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => [`user-${event.data.userId}`, event]));

const greeting = { title: 'Greeting', content: 'Welcome!' };
const created = (snippetId: number, text: SnippetText | null = greeting, userId = 1): SavedSnippetEvent => ({
  type: 'SavedSnippetCreated',
  data: { userId, snippetId, keyId: `k${userId}/${snippetId}`, text },
});
const edited = (snippetId: number, text: Partial<SnippetText> | null): SavedSnippetEvent => ({
  type: 'SavedSnippetEdited',
  data: { userId: 1, snippetId, text },
});
const deleted = (snippetId: number): SavedSnippetEvent => ({
  type: 'SavedSnippetDeleted',
  data: { userId: 1, snippetId, keyId: `k1/${snippetId}` },
});

describe('the documents of saved snippets', () => {
  it('hold each snippet as it was last saved', async () => {
    const documents = await projected(
      savedSnippets,
      of(created(1), created(2), created(1, greeting, 2), edited(1, { title: 'Other' }), created(3), deleted(2)),
    );
    expect(documents).toEqual({
      snippets: [
        {
          _id: '1/1',
          userId: 1,
          snippetId: 1,
          title: 'Other',
          content: 'Welcome!',
          createdAt: 1_700_000_001_000,
          position: 4,
        },
        { _id: '1/3', userId: 1, snippetId: 3, ...greeting, createdAt: 1_700_000_005_000, position: 5 },
        { _id: '2/1', userId: 2, snippetId: 1, ...greeting, createdAt: 1_700_000_003_000, position: 3 },
      ],
      owners: [
        { _id: 1, position: 6 },
        { _id: 2, position: 3 },
      ],
    });
  });

  it('are the same whether or not the key of a deleted snippet still exists', async () => {
    const life = (isThere: boolean) =>
      of(created(1, isThere ? greeting : null), edited(1, isThere ? { title: 'Other' } : null), deleted(1));
    expect(await projected(savedSnippets, life(false))).toEqual(await projected(savedSnippets, life(true)));
  });
});

describe('client events of saved snippets', () => {
  it('name the snippet and hold no text', async () => {
    const { events } = await projected(clientEvents, of(created(1), edited(1, { content: 'Hello' }), deleted(1)));
    const audience = { userIds: [1] };
    expect(events).toMatchObject([
      { kind: 'saved_snippets/add', audience, part: 'saved_snippets', payload: { snippetId: 1 } },
      { kind: 'saved_snippets/update', audience, payload: { snippetId: 1 } },
      { kind: 'saved_snippets/remove', audience, payload: { body: { saved_snippet_id: 1 } } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Greeting|Welcome|Hello/);
  });
});
