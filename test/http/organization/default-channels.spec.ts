import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { AddDefaultChannel } from '../../../src/features/organization/domain/default-channels.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };

describe('default channels over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let administrator: Member;
  let moderator: Member;
  let member: Member;
  let guest: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    administrator = await annals.user('administrator', 200);
    moderator = await annals.user('moderator', 300);
    member = await annals.user('member');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  const add = (who: Member, stream_id: unknown) => who.api.post('/default_streams', { stream_id });
  const remove = (who: Member, stream_id: unknown) => who.api.delete('/default_streams', { stream_id });
  const list = async (who = owner): Promise<number[]> => (await who.api.get('/default_streams')).body.default_streams;

  async function create(params: Params = {}): Promise<number> {
    const name = `channel ${++made}`;
    const { status, body } = await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params });
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    return annals.app.get(Directory).channelByName(name)?._id ?? 0;
  }

  async function eventsOf(ask: () => Promise<Answer>): Promise<readonly [Answer, (readonly unknown[])[]]> {
    const head = await annals.head();
    const answer = await ask();
    const events = await annals.events('organization', head);
    return [answer, events.map(({ type, data, metadata }) => [type, data, metadata.actorId])];
  }

  it.each<[string, () => Member]>([
    ['owners', () => owner],
    ['administrators', () => administrator],
  ])('are added and removed by %s, with one event for each and the whole list to all except guests', async (_, who) => {
    const channelId = await create();
    const before = await list();
    const [queue, guests] = await Promise.all(
      [member, guest].map(({ api }) => EventQueue.register(api, { event_types: ['default_streams'] })),
    );
    const [added, addition] = await eventsOf(() => add(who(), channelId));
    expect(added.body).toEqual(DONE);
    expect(addition).toEqual([['DefaultChannelAdded', { channelId }, who().id]]);
    expect(await list(member)).toEqual([...before, channelId]);
    expect(await queue?.drain()).toMatchObject([{ type: 'default_streams', default_streams: [...before, channelId] }]);

    const [removed, removal] = await eventsOf(() => remove(who(), channelId));
    expect(removed.body).toEqual(DONE);
    expect(removal).toEqual([['DefaultChannelRemoved', { channelId }, who().id]]);
    expect(await queue?.drain()).toMatchObject([{ type: 'default_streams', default_streams: before }]);
    expect(await guests?.drain()).toEqual([]);
  });

  it('added or removed twice answer success and append nothing', async () => {
    const channelId = await create();
    await add(owner, channelId);
    expect((await eventsOf(() => add(owner, channelId))).at(1)).toEqual([]);
    await remove(owner, channelId);
    const [again, nothing] = await eventsOf(() => remove(owner, channelId));
    expect([again.body, nothing]).toEqual([DONE, []]);
  });

  it.each<[string, () => Member]>([
    ['moderators', () => moderator],
    ['members', () => member],
    ['guests', () => guest],
  ])('are neither added nor removed by %s', async (_, who) => {
    const channelId = await create();
    const msg = 'Must be an organization administrator';
    await expectRefusal(annals, () => add(who(), channelId), { msg, code: 'UNAUTHORIZED_PRINCIPAL' });
    await expectRefusal(annals, () => add(who(), 999), { msg, code: 'UNAUTHORIZED_PRINCIPAL' });
    await add(owner, channelId);
    await expectRefusal(annals, () => remove(who(), channelId), { msg, code: 'UNAUTHORIZED_PRINCIPAL' });
    await remove(owner, channelId);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['a channel that does not exist', async () => 999, 'Invalid channel ID'],
    ['a negative number', async () => -1, 'Invalid channel ID'],
    ['a private channel', () => create({ invite_only: true }), 'Private channels cannot be made default.'],
    ['a channel that is archived', () => archived(), 'Invalid channel ID'],
    ['a value that is not a number', async () => '"1"', 'stream_id is not an integer'],
  ])('cannot be %s', async (_, channel, msg) => {
    const channelId = await channel();
    await expectRefusal(annals, () => add(owner, channelId), msg);
  });

  it.each<[string, unknown, string]>([
    ['a channel that does not exist', 999, 'Invalid channel ID'],
    ['a value that is not a number', '"1"', 'stream_id is not an integer'],
  ])('are not removed by %s', async (_, channelId, msg) => {
    await expectRefusal(annals, () => remove(owner, channelId), msg);
  });

  it('require stream_id', async () => {
    for (const ask of [owner.api.post('/default_streams'), owner.api.delete('/default_streams')])
      expect((await ask).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_id' });
  });

  async function archived(): Promise<number> {
    const channelId = await create();
    expect((await owner.api.delete(`/streams/${channelId}`)).status).toBe(200);
    return channelId;
  }

  it('are in the register response, but none for guests', async () => {
    const channelId = await create({ is_default_stream: true });
    const of = async ({ api }: Member) =>
      (await api.post('/register', { fetch_event_types: ['default_streams'] })).body.realm_default_streams;
    expect(await of(member)).toContain(channelId);
    expect(await of(guest)).toEqual([]);
    expect(await list(guest)).toEqual([]);
  });

  it('are the channels that new users are subscribed to', async () => {
    const channelId = await create({ is_default_stream: true });
    const newcomer = await annals.user('newcomer');
    await eventually(() => expect(annals.app.get(Directory).isSubscribed(newcomer.id, channelId)).toBe(true));
  });

  it('are removed before the answer to the request that archives them, and everybody is told', async () => {
    const channelId = await create({ is_default_stream: true });
    expect(await list()).toContain(channelId);
    const queue = await EventQueue.register(member.api, { event_types: ['default_streams'] });
    const [, events] = await eventsOf(() => owner.api.delete(`/streams/${channelId}`));
    expect(events).toEqual([['DefaultChannelRemoved', { channelId }, owner.id]]);
    expect(await list()).not.toContain(channelId);
    expect((await queue.drain()).at(-1)?.default_streams).not.toContain(channelId);
  });

  /** Appends a change to private without the check for default channels, as of a decision before the channel became one. */
  function madePrivate(channelId: number): Promise<unknown> {
    const from = { inviteOnly: false, historyPublicToSubscribers: true };
    const to = { inviteOnly: true, historyPublicToSubscribers: true };
    const privacy = { type: 'ChannelPrivacyChanged', data: { channelId, from, to } };
    return annals.app.get(CommandRunner).report('channels', privacy, by);
  }

  it('are removed when they become private, whatever made them private', async () => {
    const channelId = await create({ is_default_stream: true });
    const head = await annals.head();
    await madePrivate(channelId);
    await eventually(async () => expect(await list()).not.toContain(channelId));
    const [changed, removed] = await annals.events(undefined, head);
    expect(removed).toMatchObject({ type: 'DefaultChannelRemoved', data: { channelId } });
    expect(removed?.metadata.causationId).toBe(changed?.id);
  });

  it('are never private, even if a channel becomes private just before it is added', async () => {
    const channelIds = await Promise.all(Array.from({ length: 12 }, () => create()));
    for (const channelId of channelIds) {
      await madePrivate(channelId);
      await annals.execute(new AddDefaultChannel({ channelId, callerId: owner.id, by })).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'DEFAULT_CHANNEL_PRIVATE' });
      });
    }
    const listed = await list();
    expect(channelIds.filter((channelId) => listed.includes(channelId))).toEqual([]);
  });

  it('are the same after a restart, and nothing is appended again', async () => {
    const [before, head] = [await list(), await annals.head()];
    await annals.restart();
    expect(await list()).toEqual(before);
    expect(await annals.head()).toBe(head);
  });
});
