import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESSES_STREAM } from '../../../src/events/accesses/accesses.events.js';
import { eventually } from '../../support/eventually.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('POST /projections/{projection}/rebuild', () => {
  let annals: Annals;
  let owner: Member;
  let administrator: Member;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
    administrator = await annals.user('administrator', 200);
    for (const content of ['one', 'two'])
      await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'words', content });
  });
  afterAll(() => annals.stop());

  const rebuild = (name: string, by = owner) => by.api.post(`/projections/${name}/rebuild`);
  const statusOf = async (name: string) =>
    (await annals.health()).projections.find((projection) => projection.name === name);
  const acts = async () => (await annals.events(ACCESSES_STREAM)).filter(({ type }) => type === 'OperatorActed');

  it('begins a build beside the documents that are read, and health tells when it is done', async () => {
    const before = await statusOf('messages');
    const { status, body } = await rebuild('messages');
    expect([status, body]).toEqual([
      200,
      { result: 'success', msg: '', projection: 'messages', database: before?.database },
    ]);
    const texts = async () =>
      (await owner.api.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0, apply_markdown: false })).body
        .messages;
    expect((await texts()).map(({ content }: { content: string }) => content)).toEqual(['one', 'two']);
    await eventually(async () => {
      const after = await statusOf('messages');
      expect(after).toMatchObject({ state: 'running', upToDate: true, error: null, progress: null });
      expect(after?.database).not.toBe(before?.database);
    });
    expect((await texts()).map(({ content }: { content: string }) => content)).toEqual(['one', 'two']);
  });

  it('is in the log as a command of the owner, before anything is built', async () => {
    const known = (await acts()).length;
    expect((await rebuild('drafts')).status).toBe(200);
    const [act, ...more] = (await acts()).slice(known);
    expect(act).toMatchObject({
      data: { command: 'rebuild', options: { projection: ['drafts'] }, words: null },
      metadata: { actorId: owner.id },
    });
    expect(more).toEqual([]);
    const { events } = (await owner.api.get('/audit/events', { kind: ['OperatorActed'], actor: owner.id })).body;
    expect(events[0]).toMatchObject({ data: { options: { projection: ['drafts'] } }, actor: { user_id: owner.id } });
  });

  it('refuses a projection that is being rebuilt', async () => {
    const answers = await Promise.all([rebuild('sends'), rebuild('sends')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.msg).toMatch(/sends is being rebuilt already: wait until that is done$/);
    await eventually(async () => expect(await statusOf('sends')).toMatchObject({ state: 'running', progress: null }));
    expect((await rebuild('sends')).status).toBe(200);
  });

  it('refuses an unknown name with those that there are, and anybody but owners', async () => {
    const known = (await acts()).length;
    const names = (await annals.health()).projections.map(({ name }) => name).join(', ');
    expect((await rebuild('wishes')).body).toMatchObject({
      result: 'error',
      msg: `There is no projection wishes: there are ${names}`,
    });
    for (const name of ['messages', 'wishes'])
      expect((await rebuild(name, administrator)).body).toMatchObject({ msg: 'Must be an organization owner' });
    expect((await acts()).length).toBe(known);
  });
});
