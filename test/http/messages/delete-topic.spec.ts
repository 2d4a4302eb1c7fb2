import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { DeleteTopic } from '../../../src/features/messages/domain/delete-message.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const BULK = { client_capabilities: { bulk_message_deletion: true, notification_settings_null: false } };

describe('POST /streams/{stream_id}/delete_topic', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let general = 0;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    general = (await owner.api.get('/get_stream_id', { stream: 'general' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const send = async (topic: string, to = general) =>
    (await iris.api.post('/messages', { type: 'channel', to, topic, content: `words ${++made}` })).body.id as number;
  const remove = async (by: Member, topic_name: string, channelId = general) => {
    const { status, body } = await by.api.post(`/streams/${channelId}/delete_topic`, { topic_name });
    return { status, ...body };
  };
  const idsIn = async (by: Member, topic: string, channelId = general): Promise<number[]> => {
    const narrow = [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ];
    const page = { anchor: 'newest', num_before: 1000, num_after: 0, narrow };
    return (await by.api.get('/messages', page)).body.messages.map(({ id }: { id: number }) => id);
  };

  it('deletes every message of the topic, with one event for each', async () => {
    const ids = [await send('gone'), await send('GONE'), await send('gone')];
    const kept = await send('kept');
    const queues = [await EventQueue.register(iris.api, BULK), await EventQueue.register(owner.api)] as const;
    const before = await annals.head();

    expect(await remove(owner, 'Gone')).toEqual({ status: 200, result: 'success', msg: '', complete: true });
    const appended = await annals.events(undefined, before);
    expect(appended.map(({ type }) => type)).toEqual(ids.map(() => 'MessageDeleted'));
    expect(new Set(appended.map(({ stream }) => stream))).toEqual(new Set(ids.map((id) => `message-${id}`)));
    expect(appended.every(({ metadata }) => metadata.actorId === owner.id)).toBe(true);
    expect([await idsIn(owner, 'gone'), await idsIn(owner, 'kept')]).toEqual([[], [kept]]);
    for (const { revision, data } of await annals.events('messages'))
      if (ids.includes(revision + 1)) expect(data).toMatchObject({ content: null });

    const [many, one] = [await queues[0].drain(), await queues[1].drain()].map((events) =>
      events.filter(({ type }) => type === 'delete_message'),
    );
    expect(many?.flatMap(({ message_ids }) => message_ids).sort()).toEqual(ids);
    expect(one?.map(({ message_id }) => message_id).sort()).toEqual(ids);
    expect(await remove(owner, 'gone')).toMatchObject({ status: 200, complete: true });
  });

  it('stops after its time limit with the newest deleted, and a repeated request deletes the rest', async () => {
    const ids = await Promise.all(Array.from({ length: 105 }, () => send('long')));
    const oldest = ids.sort((a, b) => a - b).slice(0, 5);
    const by = { actorId: owner.id, client: 'test', correlationId: '00000000-0000-4000-8000-000000000000' };
    const command = new DeleteTopic({ userId: owner.id, channelId: general, topic: 'long', until: 0, by });
    expect(await annals.app.get(CommandBus).execute(command)).toBe(false);
    await eventually(async () => expect(await idsIn(owner, 'long')).toEqual(oldest));
    expect(await remove(owner, 'long')).toMatchObject({ complete: true });
    expect(await idsIn(owner, 'long')).toEqual([]);
  });

  it('deletes each message once if requests are concurrent', async () => {
    const ids = [await send('race'), await send('race'), await send('race')];
    const answers = await Promise.all([remove(owner, 'race'), remove(owner, 'race'), remove(owner, 'race')]);
    expect(answers).toEqual(answers.map(() => ({ status: 200, result: 'success', msg: '', complete: true })));
    for (const id of ids) expect(await annals.events(`message-${id}`)).toHaveLength(1);
  });

  it('does not delete messages that the caller may not see', async () => {
    await iris.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const secret = (await iris.api.get('/get_stream_id', { stream: 'secret' })).body.stream_id as number;
    const early = await send('t', secret);
    expect(await remove(owner, 't', secret)).toMatchObject({ status: 400, msg: 'Invalid channel ID' });
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [owner.id] });
    await send('t', secret);
    expect(await remove(owner, 't', secret)).toMatchObject({ complete: true });
    expect(await idsIn(iris, 't', secret)).toEqual([early]);
  });

  it('is allowed to administrators and to users whom the channel lets delete any message', async () => {
    const id = await send('mine');
    expect(await remove(iris, 'mine')).toEqual({
      status: 400,
      result: 'error',
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    });
    expect(await idsIn(iris, 'mine')).toEqual([id]);
    const members = { new: SYSTEM_GROUP_IDS['role:members'] };
    await owner.api.patch(`/streams/${general}`, { can_delete_any_message_group: members });
    expect(await remove(iris, 'mine')).toMatchObject({ status: 200, complete: true });
  });

  it('refuses channels that do not exist, and requests without a topic', async () => {
    expect(await remove(owner, 't', 999)).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'Invalid channel ID',
    });
    const { body } = await owner.api.post(`/streams/${general}/delete_topic`);
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'topic_name' });
  });
});
