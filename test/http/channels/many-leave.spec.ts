import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subscriptionsStream } from '../../../src/events/channels/subscriptions.events.js';
import { type FlagsAdded, readStateStream } from '../../../src/events/read-state/read-state.events.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { eventually } from '../../support/eventually.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const MANY = 3000;

describe('one request', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  it('marks messages as read for thousands who leave a channel at once, without delaying other requests', async () => {
    const subscribed = { subscriptions: [{ name: 'crowded' }] };
    await owner.api.post('/users/me/subscriptions', subscribed);
    const channelId: number = (await owner.api.get('/get_stream_id', { stream: 'crowded' })).body.stream_id;
    // The ids need no accounts: only the subscriptions matter here.
    const data = { channelId, userIds: Array.from({ length: MANY }, (_, index) => 1000 + index) };
    const runner = annals.app.get(CommandRunner);
    const by = { actorId: owner.id, client: 'test', correlationId: 'test' };
    await runner.report(subscriptionsStream(channelId), { type: 'UsersSubscribed', data }, by);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      const message = { type: 'channel', to: channelId, topic: 't', content: 'words' };
      ids.push((await owner.api.post('/messages', message)).body.id);
    }
    const { position } = await runner.report(subscriptionsStream(channelId), { type: 'UsersUnsubscribed', data }, by);
    const { body } = await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'quiet' }] });
    expect(body.subscribed).toEqual({ [owner.id]: ['quiet'] });
    expect((await owner.api.get('/users/me/subscriptions')).body.subscriptions).toContainEqual(
      expect.objectContaining({ name: 'quiet' }),
    );
    const told: number[] = [];
    let readUpTo = position;
    const readOn = async (): Promise<void> => {
      const events = await annals.events(undefined, readUpTo);
      readUpTo = events.at(-1)?.position ?? readUpTo;
      for (const { type, data } of events) if (type === 'FlagsAdded') told.push((data as FlagsAdded['data']).userId);
    };
    await readOn();
    const before = told.length;

    await eventually(async () => {
      await readOn();
      expect(told.length).toBeGreaterThanOrEqual(MANY);
    }, 150_000);
    expect(new Set(told).size).toBe(MANY);
    expect(told).toHaveLength(MANY);
    const ranges = [[ids[0], ids[2]]];
    expect(await annals.events(readStateStream(1000 + MANY - 1))).toMatchObject([{ data: { ranges } }]);
    // The requests above are answered before the work for half of the users is done.
    expect(before).toBeLessThan(MANY / 2);
  });
});
