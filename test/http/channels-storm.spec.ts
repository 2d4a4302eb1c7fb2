import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Directory } from '../../src/directory/directory.js';
import { READ_SIDE, type ReadSide } from '../../src/roles/read-side.js';
import { SubscribeUsers } from '../../src/subscriptions/domain/subscribe-users.js';
import { UnsubscribeUsers } from '../../src/subscriptions/domain/unsubscribe-users.js';
import { Annals, type Member } from '../support/annals.js';
import { ClientState } from '../support/client-state.js';
import { dice } from '../support/dice.js';
import { EventQueue } from '../support/event-queue.js';

const by = { actorId: null, client: 'test', correlationId: 'test' };
const STATE = ['message', 'update_message_flags', 'realm_user', 'stream', 'subscription', 'default_streams'];
const KNOWING = { client_capabilities: { archived_channels: true } };

const SIGHT = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'];

jest.setTimeout(60_000);

describe('channels in a storm of changes', () => {
  let annals: Annals;
  let owner: Member;
  let readers: Member[];
  let others: Member[];
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '1' });
    owner = await annals.owner();
    readers = [await annals.user('reader'), await annals.user('guest', 600), owner];
    others = [await annals.user('other'), await annals.user('another')];
    for (const invite_only of [false, true, false, true])
      await owner.api.post('/channels/create', {
        name: `channel ${++made}`,
        invite_only,
        subscribers: [owner.id, (others[0] as Member).id],
      });
  });
  afterAll(() => annals.stop());

  const channelIds = () =>
    annals.app
      .get(Directory)
      .allChannels()
      .map(({ _id }) => _id);
  const oneOf = <T>(list: readonly T[], roll: (sides: number) => number): T => list[roll(list.length)] as T;

  /** One change of any kind; some change nothing, and some are refused. */
  async function change(roll: (sides: number) => number): Promise<void> {
    const everybody = [...readers, ...others];
    const who = oneOf(everybody, roll);
    const channelId = oneOf(channelIds(), roll);
    const patch = (params: object) => owner.api.patch(`/streams/${channelId}`, { ...params });
    switch (roll(12)) {
      case 11: {
        // No guest becomes an administrator: some are refused.
        await owner.api.patch(`/users/${(readers[0] as Member).id}`, { role: oneOf([200, 300, 400, 600], roll) });
        return;
      }
      case 0:
        await patch({ new_name: `channel ${++made}`, description: `*${made}*` });
        return;
      case 1:
      case 2:
        await patch({ is_private: roll(2) === 0, history_public_to_subscribers: true });
        return;
      case 3:
        await patch({ is_private: true, history_public_to_subscribers: roll(2) === 0 });
        return;
      case 4:
      case 5: {
        const members = everybody.filter(() => roll(2) === 0).map(({ id }) => id);
        await patch({ [oneOf(SIGHT, roll)]: { new: { direct_members: members, direct_subgroups: [] } } });
        return;
      }
      case 6:
        await patch({ can_send_message_group: { new: 2 + roll(4) }, message_retention_days: 1 + roll(9) });
        return;
      case 7:
        await owner.api.delete(`/streams/${channelId}`);
        return;
      case 8:
        await patch({ is_archived: false });
        return;
      case 9:
        return annals.execute(
          roll(2) === 0
            ? new SubscribeUsers(channelId, [who.id, oneOf(everybody, roll).id], by)
            : new UnsubscribeUsers(channelId, [who.id], by),
        );
      default:
        await who.api.post('/messages', { type: 'channel', to: channelId, topic: 't', content: `m${++made}` });
    }
  }

  const register = (reader: Member, params: object) =>
    EventQueue.register(reader.api, { event_types: STATE, include_subscribers: true, ...params });

  it.each([
    ['clients that know of archived channels', KNOWING, 1],
    ['clients that know of archived channels', KNOWING, 2],
    ['clients that do not', {}, 3],
    ['clients that do not', {}, 4],
  ])('state and the events that follow are the fresh state: %s', async (_, params, seed) => {
    const roll = dice(seed);
    const registered: { reader: Member; queue: EventQueue }[] = [];
    for (let step = 0; step < 80; step++) {
      if (step % 8 === 0)
        for (const reader of readers) registered.push({ reader, queue: await register(reader, params) });
      await change(roll);
    }
    for (const reader of readers) {
      const fresh = await register(reader, params);
      const expected = new ClientState(fresh.state, reader.id).comparable;
      for (const { queue } of registered.filter((one) => one.reader === reader)) {
        const client = new ClientState(queue.state, reader.id);
        for (const event of await queue.drain()) client.apply(event);
        expect(client.comparable).toEqual(expected);
      }
    }
  });

  it('events built anew are those that were told', async () => {
    const [first, second] = [await register(owner, KNOWING), await register(owner, KNOWING)];
    const roll = dice(5);
    for (let step = 0; step < 60; step++) await change(roll);
    const told = await first.drain();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events', 'messages'], () => {});
    expect(told.length).toBeGreaterThan(10);
    expect(await second.drain()).toEqual(told);
  });
});
