import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { DeactivateUser, ReactivateUser } from '../../../src/features/users/domain/activity.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const NOTHING_MORE = { result: 'success', msg: '' };

describe('drafts over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;
  let opticsId: number;
  let secretId: number;
  let archivedId: number;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    noor = await annals.user('noor');
    const create = async (name: string, invite_only = false): Promise<number> =>
      (await owner.api.post('/channels/create', { name, subscribers: [owner.id], invite_only })).body.id;
    opticsId = await create('optics');
    secretId = await create('secret', true);
    archivedId = await create('archived');
    await owner.api.delete(`/streams/${archivedId}`);
  });
  afterAll(() => annals.stop());

  /** A new user, who has no drafts of other tests. */
  const writer = () => annals.user(`writer${++made}`);
  const draft = (changes: object = {}) => ({
    type: 'stream',
    to: [opticsId],
    topic: 'lenses',
    content: 'w',
    ...changes,
  });
  const create = (member: Member, ...drafts: object[]) => member.api.post('/drafts', { drafts });
  const edit = (member: Member, id: number, changed: object) => member.api.patch(`/drafts/${id}`, { draft: changed });
  const listed = async (member: Member) => (await member.api.get('/drafts')).body;
  const fresh = async (member: Member) =>
    (await member.api.post('/register', { fetch_event_types: ['drafts'] })).body.drafts;

  async function appendedBy(ask: () => Promise<unknown>) {
    const head = await annals.head();
    await ask();
    return annals.events(undefined, head);
  }

  const keysOf = async (ids: readonly string[]) => [
    ...(await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(ids)).keys(),
  ];

  describe('POST /drafts', () => {
    it('stores drafts of every kind in one append, sealed, and answers their ids', async () => {
      const mila = await writer();
      const queue = await EventQueue.register(mila.api, { event_types: ['drafts'] });
      const others = await EventQueue.register(noor.api, { event_types: ['drafts'] });
      const timestamp = 1_595_479_019;
      const events = await appendedBy(async () => {
        const answer = await create(
          mila,
          draft({ timestamp }),
          { type: 'private', to: [noor.id, iris.id, noor.id, mila.id], topic: 'ignored', content: 'a \n', timestamp },
          { type: 'private', to: [mila.id], topic: '', content: '\n\n note to self', timestamp: timestamp + 0.75 },
          { type: 'private', to: [], topic: 'ignored', content: 'nobody', timestamp },
          { type: '', to: [opticsId], topic: 'ignored', content: 'unaddressed', timestamp: 0 },
        );
        expect(answer.body).toEqual({ ...NOTHING_MORE, ids: [1, 2, 3, 4, 5] });
      });
      expect(events.map(({ stream, type, data }) => ({ stream, type, data }))).toEqual(
        [
          { recipient: { type: 'channel', channelId: opticsId }, words: { topic: 'lenses', text: 'w' } },
          { recipient: { type: 'direct', userIds: [iris.id, noor.id] }, words: { topic: '', text: 'a' } },
          { recipient: { type: 'direct', userIds: [mila.id] }, words: { topic: '', text: ' note to self' } },
          { recipient: { type: 'unaddressed' }, words: { topic: '', text: 'nobody' } },
          { recipient: { type: 'unaddressed' }, words: { topic: '', text: 'unaddressed' } },
        ].map((said, index) => ({
          stream: `user-${mila.id}`,
          type: 'DraftCreated',
          data: {
            userId: mila.id,
            draftId: index + 1,
            keyId: events[index]?.id,
            editedAt: [timestamp * 1000, timestamp * 1000, timestamp * 1000 + 750, timestamp * 1000, 0][index],
            ...said,
            ...(index === 4 && { createdIds: [1, 2, 3, 4, 5] }),
          },
        })),
      );
      const stored = await annals.app.get<EventStore>(EVENT_STORE).readStream(`user-${mila.id}`);
      expect(JSON.stringify(stored)).not.toMatch(/lenses|nobody|note to self/);
      expect(stored.map(({ id, data }) => [id, (data.words as { keyId: string }).keyId])).toEqual(
        stored.map(({ id }) => [id, id]),
      );
      const written = [
        { id: 1, ...draft(), timestamp },
        { id: 2, type: 'private', to: [iris.id, noor.id], topic: '', content: 'a', timestamp },
        { id: 3, type: 'private', to: [mila.id], topic: '', content: ' note to self', timestamp },
        { id: 4, type: '', to: [], topic: '', content: 'nobody', timestamp },
        { id: 5, type: '', to: [], topic: '', content: 'unaddressed', timestamp: 0 },
      ];
      const newestFirst = [3, 4, 2, 1, 5].map((id) => written[id - 1]);
      expect(await listed(mila)).toEqual({ ...NOTHING_MORE, count: 5, drafts: newestFirst.toReversed() });
      expect(await fresh(mila)).toEqual(newestFirst);
      expect(await told(queue)).toEqual([{ type: 'drafts', op: 'add', drafts: written }]);
      expect(await told(others)).toEqual([]);
    });

    it('sets the time if the client does not, and never reuses an id', async () => {
      const mila = await writer();
      const before = Math.floor(Date.now() / 1000);
      await create(mila, draft(), draft());
      await mila.api.delete('/drafts/2');
      expect((await create(mila, draft())).body.ids).toEqual([3]);
      const { drafts } = await listed(mila);
      expect(drafts.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
      expect(drafts[0].timestamp).toBeGreaterThanOrEqual(before);
      expect(drafts[0].timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    });

    it('appends nothing for an empty list', async () => {
      const mila = await writer();
      expect(
        await appendedBy(async () => expect((await create(mila)).body).toEqual({ ...NOTHING_MORE, ids: [] })),
      ).toEqual([]);
    });

    it('stores a repeated request again, because Idempotency-Key applies to messages only', async () => {
      const mila = await writer();
      const headers = { 'idempotency-key': 'k' };
      const drafts = [draft()];
      expect((await mila.api.post('/drafts', { drafts }, { headers })).body.ids).toEqual([1]);
      expect((await mila.api.post('/drafts', { drafts }, { headers })).body.ids).toEqual([2]);
    });

    it('shortens text that is too long, and marks it', async () => {
      const mila = await writer();
      await create(
        mila,
        draft({ topic: '🙂'.repeat(61), content: '🙂'.repeat(10_001) }),
        draft({ content: '🙂'.repeat(9999) }),
      );
      const { drafts } = await listed(mila);
      const cut = '\n[message truncated]';
      expect(drafts[0].topic).toBe(`${'🙂'.repeat(57)}...`);
      expect(drafts[0].content).toBe('🙂'.repeat(10_000 - cut.length) + cut);
      expect(drafts[1].content).toBe('🙂'.repeat(9999));
    });

    it.each([
      ['no channel', { to: [] }, 'Must specify exactly 1 channel ID for channel messages'],
      ['two channels', { to: [1, 2] }, 'Must specify exactly 1 channel ID for channel messages'],
      ['a channel that does not exist', { to: [99_999] }, 'Invalid channel ID'],
      ['a user who does not exist', { type: 'private', to: [99_999] }, 'Invalid user ID 99999'],
      ['empty content', { content: ' \n ' }, 'Message must not be empty'],
      ['a negative time', { timestamp: -10.1 }, 'Timestamp must not be negative.'],
      ['null bytes in the topic', { topic: 'a\0b' }, 'drafts must not contain null bytes'],
      ['null bytes in the content', { content: 'a\0b' }, 'drafts must not contain null bytes'],
      ['another type', { type: 'direct' }, 'drafts[1]["type"] must be one of "", stream, private'],
      ['recipients that are not ids', { to: ['optics'] }, 'drafts[1]["to"][0] is not an integer'],
      ['recipients that are not a list', { to: 1 }, 'drafts[1]["to"] is not a list'],
      ['no topic', { topic: undefined }, 'drafts[1]["topic"] is missing'],
      ['an id', { id: 7 }, 'A draft is given its id by the server'],
      ['a time that is not a number', { timestamp: 'now' }, 'drafts[1]["timestamp"] is not a number'],
    ])('refuses %s, and stores no draft of the request', async (_, changes, msg) => {
      await expectRefusal(annals, () => create(noor, draft(), draft(changes)), msg);
    });

    it('refuses channels that the writer cannot read, archived channels, and deactivated users', async () => {
      await expectRefusal(annals, () => create(noor, draft({ to: [secretId] })), 'Invalid channel ID');
      await expectRefusal(annals, () => create(owner, draft({ to: [archivedId] })), 'Invalid channel ID');
      const gone = await writer();
      await annals.execute(new DeactivateUser({ userId: gone.id, by, notice: null }));
      const msg = `'${gone.email}' is no longer using this organization`;
      await expectRefusal(annals, () => create(noor, draft({ type: 'private', to: [gone.id] })), msg);
    });

    it('refuses too many drafts, and drafts too large for one append', async () => {
      const mila = await writer();
      await expectRefusal(
        annals,
        () => create(mila, ...Array(101).fill(draft())),
        'drafts has too many items (limit: 100)',
      );
      const longer = Array(60).fill(draft({ content: 'x'.repeat(9990) }));
      await expectRefusal(annals, () => create(mila, ...longer), 'Too much is in these drafts: send fewer at once');
    });

    it('refuses requests without drafts or without credentials', async () => {
      expect((await noor.api.post('/drafts')).body).toMatchObject({
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'drafts',
      });
      expect((await noor.api.post('/drafts', { drafts: '[' })).body).toMatchObject({ code: 'INVALID_JSON' });
      expect((await annals.api.get('/drafts')).status).toBe(401);
    });
  });

  describe('PATCH /drafts/{draft_id}', () => {
    it('replaces the draft, destroys the key of its former content, and tells the user', async () => {
      const mila = await writer();
      await create(mila, draft({ timestamp: 1000 }), draft({ timestamp: 900 }));
      const queue = await EventQueue.register(mila.api, { event_types: ['drafts'] });
      const [first] = await annals.events(`user-${mila.id}`);
      const changed = { type: 'private', to: [noor.id], topic: '', content: 'other words', timestamp: 2000 };
      const [edited, ...more] = await appendedBy(async () =>
        expect((await edit(mila, 1, changed)).body).toEqual(NOTHING_MORE),
      );
      expect(more).toEqual([]);
      expect(edited).toMatchObject({ stream: `user-${mila.id}`, type: 'DraftEdited' });
      expect(edited?.data).toEqual({
        userId: mila.id,
        draftId: 1,
        keyId: edited?.id,
        previousKeyId: first?.id,
        from: { recipient: { type: 'channel', channelId: opticsId }, editedAt: 1_000_000 },
        to: { recipient: { type: 'direct', userIds: [noor.id] }, editedAt: 2_000_000 },
        words: { topic: '', text: 'other words' },
      });
      expect(await keysOf([first?.id as string, edited?.id as string])).toEqual([edited?.id]);
      expect((await annals.events(`user-${mila.id}`))[0]?.data).toMatchObject({ words: null });
      expect(await told(queue)).toEqual([{ type: 'drafts', op: 'update', draft: { id: 1, ...changed } }]);
      expect((await listed(mila)).drafts.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    });

    it('appends nothing if nothing changes; a new time alone is a change', async () => {
      const mila = await writer();
      await create(mila, draft({ timestamp: 1000 }));
      expect(await appendedBy(() => edit(mila, 1, draft({ timestamp: 1000, content: 'w ' })))).toEqual([]);
      expect(await appendedBy(() => edit(mila, 1, draft()))).toMatchObject([
        { type: 'DraftEdited', data: { from: { editedAt: 1_000_000 } } },
      ]);
    });

    it('answers 404 for missing drafts and drafts of other users, and refuses the same values as POST', async () => {
      const mila = await writer();
      await create(mila, draft());
      await expectRefusal(annals, () => edit(mila, 2, draft()), 'Draft does not exist', 404);
      await expectRefusal(annals, () => edit(noor, 1, draft()), 'Draft does not exist', 404);
      await expectRefusal(
        annals,
        () => edit(mila, 1, draft({ to: [] })),
        'Must specify exactly 1 channel ID for channel messages',
      );
      await expectRefusal(annals, () => edit(mila, 1, draft({ id: 1 })), 'A draft is given its id by the server');
      await expectRefusal(annals, () => edit(mila, 1, { type: '' }), 'draft["to"] is missing');
      await expectRefusal(annals, () => edit(mila, 1, [draft()] as object), 'draft is not an object');
      expect((await mila.api.patch('/drafts/1')).body).toMatchObject({ var_name: 'draft' });
    });

    it('applies concurrent edits one after the other', async () => {
      const mila = await writer();
      await create(mila, draft({ timestamp: 1 }));
      const contents = ['a', 'b', 'c', 'd'];
      await Promise.all(contents.map((content, n) => edit(mila, 1, draft({ content, timestamp: 2 + n }))));
      const events = await annals.events(`user-${mila.id}`);
      expect(events).toHaveLength(5);
      const last = events.at(-1)?.id as string;
      expect(await keysOf(events.map(({ id }) => id))).toEqual([last]);
      expect((await listed(mila)).drafts).toHaveLength(1);
    });
  });

  describe('DELETE /drafts/{draft_id}', () => {
    it('deletes the draft and its key, and tells the user', async () => {
      const mila = await writer();
      await create(mila, draft({ timestamp: 1000 }), draft({ content: 'stays', timestamp: 1000 }));
      const queue = await EventQueue.register(mila.api, { event_types: ['drafts'] });
      const [first, second] = await annals.events(`user-${mila.id}`);
      const events = await appendedBy(async () =>
        expect((await mila.api.delete('/drafts/1')).body).toEqual(NOTHING_MORE),
      );
      expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
        {
          type: 'DraftDeleted',
          data: {
            userId: mila.id,
            draftId: 1,
            keyId: first?.id,
            recipient: { type: 'channel', channelId: opticsId },
            editedAt: 1_000_000,
            isWithdrawn: false,
          },
        },
      ]);
      expect(await keysOf([first?.id as string, second?.id as string])).toEqual([second?.id]);
      expect(await told(queue)).toEqual([{ type: 'drafts', op: 'remove', draft_id: 1 }]);
      expect(await listed(mila)).toMatchObject({ count: 1, drafts: [{ id: 2, content: 'stays' }] });
      await expectRefusal(annals, () => mila.api.delete('/drafts/1'), 'Draft does not exist', 404);
      await expectRefusal(annals, () => mila.api.delete('/drafts/9'), 'Draft does not exist', 404);
      await expectRefusal(annals, () => noor.api.delete('/drafts/2'), 'Draft does not exist', 404);
    });
  });

  describe('of a user who disables drafts synchronization', () => {
    const keep = (member: Member, enable_drafts_synchronization: boolean) =>
      member.api.patch('/settings', { enable_drafts_synchronization });

    it('are deleted with their keys, without client events', async () => {
      const mila = await writer();
      for (const _ of [1, 2]) await create(mila, ...Array(75).fill(draft({ timestamp: 1 })));
      await create(noor, draft({ content: 'stays' }));
      const queue = await EventQueue.register(mila.api, { event_types: ['drafts'] });
      const before = (await annals.events(`user-${mila.id}`)).map(({ id }) => id);
      const events = await appendedBy(async () => expect((await keep(mila, false)).body).toEqual(NOTHING_MORE));
      expect(events.map(({ type }) => type)).toEqual(['UserSettingChanged', ...Array(150).fill('DraftDeleted')]);
      expect(events.slice(1).every(({ metadata }) => metadata.causationId === events[0]?.id)).toBe(true);
      expect(events[150]?.data).toMatchObject({ draftId: 150, keyId: before[149], isWithdrawn: true });
      expect(await keysOf(before)).toEqual([]);
      expect(await told(queue)).toEqual([]);
      expect(await fresh(mila)).toEqual([]);
      expect((await listed(noor)).drafts).toContainEqual(expect.objectContaining({ content: 'stays' }));
      expect(await appendedBy(() => keep(mila, false))).toEqual([]);
    });

    it('can be neither read nor written until synchronization is enabled again', async () => {
      const mila = await writer();
      await create(mila, draft());
      await keep(mila, false);
      const msg = 'User has disabled synchronizing drafts.';
      await expectRefusal(annals, () => mila.api.get('/drafts'), msg);
      await expectRefusal(annals, () => create(mila, draft()), msg);
      await expectRefusal(annals, () => mila.api.post('/drafts', { drafts: 'no list' }), msg);
      await expectRefusal(annals, () => edit(mila, 1, draft()), msg);
      await expectRefusal(annals, () => mila.api.delete('/drafts/1'), msg);
      await keep(mila, true);
      expect(await listed(mila)).toMatchObject({ count: 0, drafts: [] });
      expect((await create(mila, draft())).body.ids).toEqual([2]);
    });

    it('are deleted even if they are created at the same moment', async () => {
      const mila = await writer();
      await Promise.all([
        ...Array.from({ length: 8 }, () => create(mila, draft())),
        keep(mila, false),
        ...Array.from({ length: 8 }, () => create(mila, draft())),
      ]);
      await keep(mila, true);
      expect(await listed(mila)).toMatchObject({ count: 0 });
      const created = (await annals.events(`user-${mila.id}`)).filter(({ type }) => type === 'DraftCreated');
      expect(await keysOf(created.map(({ id }) => id))).toEqual([]);
    });
  });

  it('tell a late client their current content, and only the removal of deleted drafts', async () => {
    const mila = await writer();
    const queue = await EventQueue.register(mila.api, { event_types: ['drafts'] });
    await create(mila, draft({ timestamp: 1 }), draft({ content: 'soon gone', timestamp: 1 }));
    await create(mila, draft({ content: 'soon gone too', timestamp: 1 }));
    await edit(mila, 1, draft({ content: 'changed', timestamp: 2 }));
    await mila.api.delete('/drafts/2');
    await mila.api.delete('/drafts/3');
    const now = { id: 1, ...draft({ content: 'changed', timestamp: 2 }) };
    expect(await told(queue)).toEqual([
      { type: 'drafts', op: 'add', drafts: [now] },
      { type: 'drafts', op: 'update', draft: now },
      { type: 'drafts', op: 'remove', draft_id: 2 },
      { type: 'drafts', op: 'remove', draft_id: 3 },
    ]);
  });

  it('are in the initial state of a queue, and earlier events are not told again', async () => {
    const mila = await writer();
    await create(mila, draft({ timestamp: 1 }));
    const queue = await EventQueue.register(mila.api);
    expect(queue.state.drafts).toEqual([{ id: 1, ...draft({ timestamp: 1 }) }]);
    expect(await told(queue)).toEqual([]);
  });

  it('keep their keys while their user is deactivated', async () => {
    const mila = await writer();
    await create(mila, draft({ timestamp: 1 }));
    await annals.execute(new DeactivateUser({ userId: mila.id, by, notice: null }));
    await annals.execute(new ReactivateUser({ userId: mila.id, by }));
    const [created] = await annals.events(`user-${mila.id}`);
    expect(created?.data).toMatchObject({ words: { text: 'w' } });
  });

  it('are the same after a restart and a rebuild', async () => {
    const mila = await writer();
    await create(mila, draft({ timestamp: 1 }), draft({ timestamp: 2 }), draft({ timestamp: 3 }));
    await edit(mila, 1, draft({ content: 'changed', timestamp: 4 }));
    await mila.api.delete('/drafts/2');
    const before = await listed(mila);
    expect(before.count).toBe(2);
    await annals.restart();
    expect(await listed(mila)).toEqual(before);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['drafts', 'client-events'], () => {});
    expect(await listed(mila)).toEqual(before);
    expect((await create(mila, draft())).body.ids).toEqual([4]);
  });
});
