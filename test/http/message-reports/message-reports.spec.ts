import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

type Params = Record<string, unknown>;

describe('reports of messages over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let max: Member;
  let ada: Member;
  let moderation: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [max, ada] = [await annals.user('max'), await annals.user('ada', 600)];
  });
  afterAll(() => annals.stop());

  const channel = async (name: string, members: readonly Member[], invite_only = false): Promise<number> => {
    const subscribers = members.map(({ id }) => id);
    return (await owner.api.post('/channels/create', { name, subscribers, invite_only })).body.id;
  };
  const send = async (who: Member, params: Params): Promise<number> =>
    (await who.api.post('/messages', { type: 'channel', topic: 'talk', content: 'Bad **words**', ...params })).body.id;
  const report = (who: Member, id: number, params: Params = { report_type: 'spam' }) =>
    who.api.post(`/messages/${id}/report`, params);
  const reports = async (apply_markdown = false) => {
    const range = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown };
    const narrow = [
      { operator: 'channel', operand: moderation },
      { operator: 'sender', operand: 'notification-bot@annals.invalid' },
    ];
    return (await owner.api.get('/messages', { ...range, narrow })).body.messages as {
      id: number;
      content: string;
      subject: string;
      sender_full_name: string;
      flags: string[];
    }[];
  };
  const contents = async () => (await reports()).map(({ content }) => content);

  it('are refused until there is a channel for them', async () => {
    const id = await send(max, { to: await channel('plaza', [max, ada]) });
    const OFF = 'Moderation request channel must be specified to enable message reporting.';
    await expectRefusal(annals, () => report(ada, id), OFF);
    const closing = await channel('closing', [owner], true);
    await owner.api.patch('/realm', { moderation_request_channel_id: closing });
    await owner.api.delete(`/streams/${closing}`);
    await expectRefusal(annals, () => report(ada, id), OFF);
    moderation = await channel('moderation', [owner], true);
    expect((await owner.api.patch('/realm', { moderation_request_channel_id: moderation })).status).toBe(200);
    const { body } = await ada.api.post('/register', { fetch_event_types: ['realm'] });
    expect(body.realm_moderation_request_channel_id).toBe(moderation);
  });

  it('are messages of the Notification Bot in the topic of the reported user, and are unread', async () => {
    const plaza = await channel('square', [max, ada]);
    const id = await send(max, { to: plaza });
    const head = await annals.head();
    const { status, body } = await report(ada, id, { report_type: 'harassment', description: 'Look: @**all**' });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    const [told] = await reports();
    expect(told).toMatchObject({
      sender_full_name: 'Notification Bot',
      client: expect.any(String),
      subject: "max's moderation requests",
      flags: [],
      content: expect.stringContaining(`@_**ada|${ada.id}** reported [a message](/#narrow/channel/${plaza}-square/`),
    });
    expect(told?.content).toContain('Reason: **Harassment**');
    expect(told?.content).toContain('```quote\nLook: @**all**\n```');
    const [rendered] = await reports(true);
    expect(rendered?.content).toContain('spoiler-content');
    expect(rendered?.content).toContain('<strong>words</strong>');
    expect(await annals.events('messages', head)).toMatchObject([
      { type: 'MessageSent', metadata: { actorId: ada.id }, data: { recipient: { channelId: moderation } } },
    ]);
    expect((await max.api.get(`/messages/${told?.id}`)).status).toBe(400);
  });

  it('are sent once however often they are repeated, and again for another reason or text', async () => {
    const id = await send(max, { to: await channel('market', [max, ada]) });
    const before = (await contents()).length;
    await Promise.all([1, 2, 3].map(() => report(ada, id)));
    await report(ada, id);
    expect(await contents()).toHaveLength(before + 1);
    await report(ada, id, { report_type: 'norms' });
    await report(owner, id);
    expect(await contents()).toHaveLength(before + 3);
    await max.api.patch(`/messages/${id}`, { content: 'Worse' });
    await report(ada, id);
    expect(await contents()).toHaveLength(before + 4);
  });

  it('of direct messages have no address', async () => {
    const params = { type: 'direct', to: [ada.id], content: 'Between us' };
    const { id } = (await max.api.post('/messages', params)).body;
    expect((await report(ada, id)).status).toBe(200);
    const last = (await contents()).at(-1);
    expect(last).toContain(`@_**ada|${ada.id}** reported a direct message from @_**max|${max.id}**.`);
    expect(last).toContain('Between us');
    expect(last).not.toContain('](');
  });

  it('answer every documented refusal, and append nothing', async () => {
    const id = await send(max, { to: await channel('hidden', [max, owner], true) });
    await expectRefusal(annals, () => report(ada, id), 'Invalid message(s)');
    await expectRefusal(annals, () => report(ada, 9999), 'Invalid message(s)');
    await expectRefusal(annals, () => report(max, id, { report_type: 'other' }), 'An explanation is required.');
    await expectRefusal(
      annals,
      () => report(max, id, { report_type: 'spam', description: 'x'.repeat(1001) }),
      'description is too long (limit: 1000 characters)',
    );
    const head = await annals.head();
    expect((await report(max, id, { report_type: 'boring' })).status).toBe(400);
    expect((await report(max, id, {})).body.code).toBe('REQUEST_VARIABLE_MISSING');
    expect(await annals.head()).toBe(head);
  });

  it('are the same after a rebuild', async () => {
    const before = await reports(true);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages', 'sends'], () => {});
    expect(await reports(true)).toEqual(before);
  });
});
