import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { SavedSnippetEvent } from '../../../src/events/saved-snippets/saved-snippets.events.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };

describe('saved snippets over HTTP', () => {
  let annals: Annals;
  let noor: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    noor = await annals.user('noor');
  });
  afterAll(() => annals.stop());

  /** A new user, who has no snippets of other tests. */
  const writer = () => annals.user(`writer${++made}`);
  const greeting = { title: 'Greeting', content: 'Welcome **here**' };
  const create = (member: Member, text: Record<string, unknown> = greeting) => member.api.post('/saved_snippets', text);
  const edit = (member: Member, id: number, text: Record<string, unknown>) =>
    member.api.patch(`/saved_snippets/${id}`, text);
  const remove = (member: Member, id: number) => member.api.delete(`/saved_snippets/${id}`);
  const listed = async (member: Member) => (await member.api.get('/saved_snippets')).body.saved_snippets;
  const registered = async (member: Member) =>
    (await member.api.post('/register', { fetch_event_types: ['saved_snippets'] })).body.saved_snippets;
  const shown = (id: number, text: object = greeting) => ({ id, ...text, date_created: expect.any(Number) });

  it('are created, listed, and told to their writer alone', async () => {
    const mila = await writer();
    const queue = await EventQueue.register(mila.api, { event_types: ['saved_snippets'] });
    const others = await EventQueue.register(noor.api, { event_types: ['saved_snippets'] });
    const head = await annals.head();
    expect((await create(mila)).body).toEqual({ ...DONE, saved_snippet_id: 1 });
    expect((await create(mila, { title: ' Bye ', content: ' See you\n' })).body.saved_snippet_id).toBe(2);

    const bye = { title: 'Bye', content: 'See you' };
    expect(await listed(mila)).toEqual([shown(1), shown(2, bye)]);
    expect(await registered(mila)).toEqual(await listed(mila));
    expect(await told(queue)).toEqual([
      { type: 'saved_snippets', op: 'add', saved_snippet: shown(1) },
      { type: 'saved_snippets', op: 'add', saved_snippet: shown(2, bye) },
    ]);
    expect(await told(others)).toEqual([]);
    expect(await listed(noor)).toEqual([]);
    const events = await annals.events(`user-${mila.id}`, head);
    expect(events.map(({ type, stream }) => [type, stream])).toEqual([
      ['SavedSnippetCreated', `user-${mila.id}`],
      ['SavedSnippetCreated', `user-${mila.id}`],
    ]);
  });

  it('are edited field by field, and told as a whole', async () => {
    const mila = await writer();
    await create(mila);
    const queue = await EventQueue.register(mila.api, { event_types: ['saved_snippets'] });
    expect((await edit(mila, 1, { title: 'Hello' })).body).toEqual(DONE);
    expect((await edit(mila, 1, { content: 'Hi' })).body).toEqual(DONE);
    expect(await listed(mila)).toEqual([shown(1, { title: 'Hello', content: 'Hi' })]);
    const events = await told(queue);
    expect(events.at(-1)).toEqual({
      type: 'saved_snippets',
      op: 'update',
      saved_snippet: shown(1, { title: 'Hello', content: 'Hi' }),
    });

    const head = await annals.head();
    expect((await edit(mila, 1, {})).body).toEqual(DONE);
    expect((await edit(mila, 1, { title: ' Hello ' })).body).toEqual(DONE);
    expect(await annals.head()).toBe(head);
    expect(await told(queue)).toEqual([]);
  });

  it('are deleted together with their key', async () => {
    const mila = await writer();
    const head = await annals.head();
    await create(mila);
    await edit(mila, 1, { content: 'Once' });
    const queue = await EventQueue.register(mila.api, { event_types: ['saved_snippets'] });
    expect((await remove(mila, 1)).body).toEqual(DONE);
    expect(await listed(mila)).toEqual([]);
    expect(await told(queue)).toEqual([{ type: 'saved_snippets', op: 'remove', saved_snippet_id: 1 }]);
    const events = (await annals.events(`user-${mila.id}`, head)) as Recorded<SavedSnippetEvent>[];
    expect(events.map(({ type, data }) => [type, 'text' in data ? data.text : undefined])).toEqual([
      ['SavedSnippetCreated', null],
      ['SavedSnippetEdited', null],
      ['SavedSnippetDeleted', undefined],
    ]);
    const keyIds = events.flatMap(({ data }) => ('keyId' in data ? data.keyId : []));
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
  });

  it('are refused with the published errors, without a change', async () => {
    const mila = await writer();
    await create(mila);
    await expectRefusal(annals, () => create(mila, { ...greeting, title: ' ' }), 'Title cannot be empty.');
    await expectRefusal(annals, () => create(mila, { ...greeting, content: '' }), 'Content cannot be empty.');
    const tooLong = 'Title is too long (limit: 60 characters)';
    await expectRefusal(annals, () => create(mila, { ...greeting, title: 'x'.repeat(61) }), tooLong);
    await expectRefusal(annals, () => edit(mila, 1, { title: '' }), 'Title cannot be empty.');
    await expectRefusal(annals, () => edit(mila, 2, { title: 'Other' }), 'Saved snippet does not exist.', 404);
    await expectRefusal(annals, () => remove(mila, 2), 'Saved snippet does not exist.', 404);
    await expectRefusal(annals, () => remove(noor, 1), 'Saved snippet does not exist.', 404);
    expect((await mila.api.post('/saved_snippets', { title: 'Alone' })).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });

  it('keep both of two concurrent edits of different fields', async () => {
    const mila = await writer();
    await create(mila);
    await Promise.all([edit(mila, 1, { title: 'New title' }), edit(mila, 1, { content: 'new content' })]);
    expect(await listed(mila)).toEqual([shown(1, { title: 'New title', content: 'new content' })]);
  });

  it('are the same after a rebuild and a restart, and a client continues', async () => {
    const mila = await writer();
    const queue = await EventQueue.register(mila.api, { event_types: ['saved_snippets'] });
    await create(mila);
    await create(mila, { title: 'Second', content: 'two' });
    await remove(mila, 1);
    const before = await listed(mila);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['saved-snippets', 'client-events'], () => {});
    expect(await listed(mila)).toEqual(before);
    await annals.restart();
    queue.api = mila.api;
    expect(await listed(mila)).toEqual(before);
    // A snippet that was created and deleted meanwhile is told by its removal alone.
    expect(await told(queue)).toEqual([
      { type: 'saved_snippets', op: 'add', saved_snippet: shown(2, { title: 'Second', content: 'two' }) },
      { type: 'saved_snippets', op: 'remove', saved_snippet_id: 1 },
    ]);
  });
});
