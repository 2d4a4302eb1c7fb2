import { describe, expect, it } from '@jest/globals';
import type { DraftCreated, DraftEvent, DraftHead } from '../../../src/events/drafts/drafts.events.js';
import type { UserSettingChanged } from '../../../src/events/personal/user-settings.events.js';
import {
  CreateDrafts,
  DeleteDraft,
  decideCreateDrafts,
  decideDeleteDraft,
  decideEditDraft,
  decideWithdrawDrafts,
  drafts,
  EditDraft,
  MOST_DRAFTS,
  WithdrawDrafts,
} from '../../../src/features/drafts/domain/drafts.js';
import type { DraftFacts, WrittenDraft } from '../../../src/features/drafts/domain/written-draft.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const NOW = 1_700_000_000_123;
const facts: DraftFacts = {
  now: NOW,
  longestText: 30,
  channelIds: new Set([7]),
  people: new Map([
    [1, { email: 'me@example.com', isActive: true }],
    [2, { email: 'two@example.com', isActive: true }],
    [3, { email: 'three@example.com', isActive: true }],
    [4, { email: 'four@example.com', isActive: false }],
  ]),
};
const draft = (changes: Partial<WrittenDraft> = {}): WrittenDraft => ({
  type: 'channel',
  to: [7],
  topic: 'lunch',
  content: 'words',
  timestamp: 10,
  ...changes,
});
const inChannel: DraftHead = { recipient: { type: 'channel', channelId: 7 }, editedAt: 10_000 };
const created = (draftId: number, changes: Partial<DraftCreated['data']> = {}): DraftEvent => ({
  type: 'DraftCreated',
  data: {
    userId: 1,
    draftId,
    keyId: `key ${draftId}`,
    ...inChannel,
    words: { topic: 'lunch', text: 'words' },
    ...changes,
  },
});
const deleted = (draftId: number): DraftEvent => ({
  type: 'DraftDeleted',
  data: { userId: 1, draftId, keyId: `key ${draftId}`, ...inChannel, isWithdrawn: false },
});

describe('creating drafts', () => {
  const create = (...written: WrittenDraft[]) => new CreateDrafts({ userId: 1, drafts: written, by });
  const context = { ...facts, keyId: (index: number) => `new key ${index}` };
  const when = (written: readonly WrittenDraft[], history: readonly DraftEvent[] = []) =>
    given(drafts, history).when(decideCreateDrafts, create(...written), context);
  /** Answers recipient, time and content of the event for the draft. */
  const read = (written: WrittenDraft) => {
    const [event] = decideCreateDrafts(create(written), drafts.initialState, context);
    const { recipient, editedAt, words } = event?.data ?? {};
    return { recipient, editedAt, words };
  };

  it('numbers them from 1, and names all ids in the last event', () => {
    when([draft(), draft({ content: 'more' })]).then([
      created(1, { keyId: 'new key 0' }),
      created(2, { keyId: 'new key 1', words: { topic: 'lunch', text: 'more' }, createdIds: [1, 2] }),
    ]);
    when([]).thenNothing();
  });

  it('never reuses a number', () => {
    when([draft()], [created(1), created(2), deleted(2)]).then([created(3, { keyId: 'new key 0', createdIds: [3] })]);
  });

  it('reads the recipients', () => {
    const direct = (...userIds: number[]) => ({ type: 'direct', userIds });
    const to = (...ids: number[]) => read(draft({ type: 'direct', to: ids })).recipient;
    expect(to(3, 2, 3)).toEqual(direct(2, 3));
    expect(to(3, 1, 2)).toEqual(direct(2, 3));
    expect(to(1)).toEqual(direct(1));
    expect(to()).toEqual({ type: 'unaddressed' });
    expect(read(draft({ type: 'unaddressed', to: [99] })).recipient).toEqual({ type: 'unaddressed' });
  });

  it('keeps a topic for channels only, and shortens text that is too long', () => {
    expect(read(draft({ type: 'direct', to: [2] })).words).toEqual({ topic: '', text: 'words' });
    expect(read(draft({ topic: ' (no topic) ' })).words?.topic).toBe(' (no topic) ');
    expect(read(draft({ topic: 't'.repeat(60) })).words?.topic).toBe('t'.repeat(60));
    expect(read(draft({ topic: '🙂'.repeat(61) })).words?.topic).toBe(`${'🙂'.repeat(57)}...`);
    expect(read(draft({ content: '🙂'.repeat(30) })).words?.text).toBe('🙂'.repeat(30));
    expect(read(draft({ content: '🙂'.repeat(31) })).words?.text).toBe(`${'🙂'.repeat(10)}\n[message truncated]`);
    expect(read(draft({ content: '\n\n  words \n' })).words?.text).toBe('  words');
  });

  it('takes the time from the client, or the present time', () => {
    expect(read(draft({ timestamp: null })).editedAt).toBe(NOW);
    expect(read(draft({ timestamp: 1.5 })).editedAt).toBe(1500);
    expect(read(draft({ timestamp: 0 })).editedAt).toBe(0);
  });

  it.each<[string, Partial<WrittenDraft>, Record<string, unknown>]>([
    ['MESSAGE_EMPTY', { content: '\n \t' }, {}],
    ['MESSAGE_HAS_NULL_BYTES', { content: 'a\0' }, {}],
    ['DRAFT_TIMESTAMP_NEGATIVE', { timestamp: -0.001 }, {}],
    ['TOPIC_HAS_NULL_BYTES', { topic: '\0' }, {}],
    ['DRAFT_NEEDS_ONE_CHANNEL', { to: [] }, {}],
    ['DRAFT_NEEDS_ONE_CHANNEL', { to: [7, 7] }, {}],
    ['INVALID_CHANNEL_ID', { to: [8] }, {}],
    ['INVALID_USER_ID', { type: 'direct', to: [2, 9] }, { userId: 9 }],
    ['RECIPIENT_DEACTIVATED', { type: 'direct', to: [2, 4] }, { email: 'four@example.com' }],
  ])('refuses all drafts with %s for one of them: %j', (code, changes, data) => {
    when([draft(), draft(changes)]).thenRefuses(code, data);
  });

  it('limits the number of drafts, and their size in one append', () => {
    const full = Array.from({ length: MOST_DRAFTS - 1 }, (_, index) => created(index + 1));
    when([draft()], full).then([created(MOST_DRAFTS, { keyId: 'new key 0', createdIds: [MOST_DRAFTS] })]);
    when([draft(), draft()], full).thenRefuses('TOO_MANY_DRAFTS', { limit: MOST_DRAFTS });
    const long = { ...context, longestText: 200_000 };
    const written = [draft({ content: 'é'.repeat(150_000) }), draft({ content: 'é'.repeat(150_000) })];
    given(drafts, [])
      .when(decideCreateDrafts, create(...written), long)
      .thenRefuses('TOO_MUCH_IN_DRAFTS');
    expect(decideCreateDrafts(create(draft({ content: 'é'.repeat(150_000) })), drafts.initialState, long)).toHaveLength(
      1,
    );
  });
});

describe('a user whose drafts are large together', () => {
  const text = 'x'.repeat(500_000);
  const large = Array.from({ length: 8 }, (_, index) => created(index + 1, { words: { topic: 'lunch', text } }));
  const long = { ...facts, longestText: 500_000 };
  const create = (content: string, history: readonly DraftEvent[] = large) =>
    given(drafts, history).when(decideCreateDrafts, new CreateDrafts({ userId: 1, drafts: [draft({ content })], by }), {
      ...long,
      keyId: (index: number) => `new key ${index}`,
    });
  const edit = (content: string, history: readonly DraftEvent[]) =>
    given(drafts, history).when(
      decideEditDraft,
      new EditDraft({ userId: 1, draftId: 1, draft: draft({ content }), by }),
      {
        ...long,
        keyId: 'new key',
      },
    );
  const growing = [...large, created(9, { words: { topic: 'lunch', text: 'x'.repeat(190_000) } })];

  it('creates another one only while there is room', () => {
    create('x'.repeat(190_000)).then([
      created(9, { keyId: 'new key 0', words: { topic: 'lunch', text: 'x'.repeat(190_000) }, createdIds: [9] }),
    ]);
    create('x'.repeat(195_000)).thenRefuses('DRAFTS_TOO_LARGE', { limit: 4 });
    create('x'.repeat(195_000), [...large, deleted(1)]).then([
      created(9, { keyId: 'new key 0', words: { topic: 'lunch', text: 'x'.repeat(195_000) }, createdIds: [9] }),
    ]);
  });

  it('makes one longer only while there is room, and shorter at any time', () => {
    const shorter = created(1, { words: { topic: 'lunch', text: 'x'.repeat(490_000) } });
    const now = [shorter, ...growing.slice(1)];
    edit(text, [...now, created(10, { words: { topic: 'lunch', text: 'x'.repeat(9_000) } })]).thenRefuses(
      'DRAFTS_TOO_LARGE',
      { limit: 4 },
    );
    const tooLarge = [...growing, created(10, { words: { topic: 'lunch', text } })];
    const edited = { keyId: 'new key', previousKeyId: 'key 1', from: inChannel, to: inChannel };
    edit('short', tooLarge).then([
      { type: 'DraftEdited', data: { userId: 1, draftId: 1, ...edited, words: { topic: 'lunch', text: 'short' } } },
    ]);
  });
});

describe('editing a draft', () => {
  const context = { ...facts, keyId: 'new key' };
  const when = (written: WrittenDraft, draftId = 1, history: readonly DraftEvent[] = [created(1)]) =>
    given(drafts, history).when(decideEditDraft, new EditDraft({ userId: 1, draftId, draft: written, by }), context);
  const edited = (to: DraftHead, words: { topic: string; text: string }): DraftEvent => ({
    type: 'DraftEdited',
    data: { userId: 1, draftId: 1, keyId: 'new key', previousKeyId: 'key 1', from: inChannel, to, words },
  });

  it('replaces the content under a new key, and names the former key', () => {
    const to: DraftHead = { recipient: { type: 'direct', userIds: [2] }, editedAt: NOW };
    when(draft({ type: 'direct', to: [2], content: 'other', timestamp: null })).then([
      edited(to, { topic: '', text: 'other' }),
    ]);
  });

  it.each<[string, Partial<WrittenDraft>]>([
    ['content', { content: 'other' }],
    ['topic', { topic: 'Lunch' }],
    ['time', { timestamp: 11 }],
    ['recipient', { type: 'unaddressed', topic: '' }],
  ])('appends one event for a change of the %s', (_, changes) => {
    const state = given(drafts, [created(1)]).state;
    expect(
      decideEditDraft(new EditDraft({ userId: 1, draftId: 1, draft: draft(changes), by }), state, context),
    ).toHaveLength(1);
  });

  it('appends nothing if nothing changes, by the content as it is stored', () => {
    when(draft({ content: 'words \n' })).thenNothing();
    const now = edited({ ...inChannel, editedAt: 20_000 }, { topic: 'lunch', text: 'second' });
    when(draft({ content: 'second', timestamp: 20 }), 1, [created(1), now]).thenNothing();
  });

  it('names the key of the last content', () => {
    const now = edited({ ...inChannel, editedAt: 20_000 }, { topic: 'lunch', text: 'second' });
    const [event] = decideEditDraft(
      new EditDraft({ userId: 1, draftId: 1, draft: draft(), by }),
      given(drafts, [created(1), now]).state,
      context,
    );
    expect(event?.data).toMatchObject({ previousKeyId: 'new key', from: { editedAt: 20_000 } });
  });

  it('refuses a missing draft before it checks the content', () => {
    when(draft({ content: '' }), 2).thenRefuses('DRAFT_NOT_FOUND');
    when(draft(), 1, [created(1), deleted(1)]).thenRefuses('DRAFT_NOT_FOUND');
    when(draft({ content: '' })).thenRefuses('MESSAGE_EMPTY');
  });

  it('gives new content to a draft whose content is destroyed', () => {
    when(draft(), 1, [created(1, { words: null })]).then([edited(inChannel, { topic: 'lunch', text: 'words' })]);
  });
});

describe('deleting a draft', () => {
  const remove = (draftId: number) => new DeleteDraft({ userId: 1, draftId, by });

  it('names the key to destroy', () => {
    given(drafts, [created(1)])
      .when(decideDeleteDraft, remove(1), undefined)
      .then([deleted(1)]);
  });

  it('refuses a missing draft', () => {
    given(drafts, []).when(decideDeleteDraft, remove(1), undefined).thenRefuses('DRAFT_NOT_FOUND');
    given(drafts, [created(1), deleted(1)])
      .when(decideDeleteDraft, remove(1), undefined)
      .thenRefuses('DRAFT_NOT_FOUND');
  });
});

describe('withdrawing drafts of a user who disables synchronization', () => {
  const synchronized = (to: boolean, property = 'enable_drafts_synchronization'): UserSettingChanged => ({
    type: 'UserSettingChanged',
    data: { userId: 1, property, from: !to, to },
  });
  const withdraw = new WithdrawDrafts(1, by);
  const withdrawn = (draftId: number): DraftEvent => {
    const event = deleted(draftId);
    return { ...event, data: { ...event.data, isWithdrawn: true } } as DraftEvent;
  };
  const off = [created(1), created(2), synchronized(false)];

  it('deletes them, the oldest first, and only after the setting is off', () => {
    given(drafts, off)
      .when(decideWithdrawDrafts, withdraw, undefined)
      .then([withdrawn(1), withdrawn(2)]);
    given(drafts, [created(1)])
      .when(decideWithdrawDrafts, withdraw, undefined)
      .thenNothing();
    given(drafts, [...off, withdrawn(1)])
      .when(decideWithdrawDrafts, withdraw, undefined)
      .then([withdrawn(2)]);
    given(drafts, [created(1), synchronized(false, 'enter_sends')])
      .when(decideWithdrawDrafts, withdraw, undefined)
      .thenNothing();
  });

  it('deletes them in bounded steps', () => {
    const many = Array.from({ length: 250 }, (_, index) => created(index + 1));
    const step = (history: readonly (DraftEvent | UserSettingChanged)[]) =>
      decideWithdrawDrafts(withdraw, given(drafts, history).state, undefined);
    const first = step([...many, synchronized(false)]);
    expect(first.map(({ data }) => data.draftId)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(step([...many, synchronized(false), ...first])[0]?.data.draftId).toBe(101);
  });

  it('deletes them even if the setting is on again, and keeps later drafts', () => {
    const again = [...off, synchronized(true), created(3)];
    given(drafts, again)
      .when(decideWithdrawDrafts, withdraw, undefined)
      .then([withdrawn(1), withdrawn(2)]);
    given(drafts, again)
      .when(decideDeleteDraft, new DeleteDraft({ userId: 1, draftId: 2, by }), undefined)
      .thenRefuses('DRAFT_NOT_FOUND');
    given(drafts, again)
      .when(decideDeleteDraft, new DeleteDraft({ userId: 1, draftId: 3, by }), undefined)
      .then([deleted(3)]);
  });

  it('refuses to create, edit or delete drafts while the setting is off', () => {
    const refused = 'DRAFTS_NOT_SYNCHRONIZED';
    given(drafts, off)
      .when(decideCreateDrafts, new CreateDrafts({ userId: 1, drafts: [], by }), { ...facts, keyId: String })
      .thenRefuses(refused);
    given(drafts, off)
      .when(decideEditDraft, new EditDraft({ userId: 1, draftId: 1, draft: draft(), by }), {
        ...facts,
        keyId: 'new key',
      })
      .thenRefuses(refused);
    given(drafts, off)
      .when(decideDeleteDraft, new DeleteDraft({ userId: 1, draftId: 1, by }), undefined)
      .thenRefuses(refused);
  });
});

it('the state of drafts has no content', () => {
  expect(JSON.stringify(given(drafts, [created(1)]).state)).not.toMatch(/lunch|words"/);
});
