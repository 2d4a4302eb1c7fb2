import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  PAST_KINDS,
  type PastEvent,
  type PastMessage,
  sourcesOf,
  type TopicName,
  topicThen,
} from '../../../../web/features/history/topic-then.js';
import { Annals, type Member } from '../../../support/servers/annals.js';

interface Shown {
  readonly id: number;
  readonly content: string;
}

describe('a topic as it was, from the audit', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    // Words are read on record.
    annals = await Annals.start({ ANNALS_ACCESS_DAYS: '1' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const send = async (topic: string, content: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: 'general', topic, content })).body.id;

  const pastOf = async (topic: string): Promise<PastEvent[]> => {
    const asked = { channel_id: 1, topic, kind: JSON.stringify(PAST_KINDS), order: 'oldest', limit: 1000, words: true };
    return (await owner.api.get('/audit/events', asked)).body.events;
  };

  /** What people see in the topic now, the notices of the server aside. */
  const shownIn = async (topic: string): Promise<Shown[]> => {
    const narrow = JSON.stringify([
      { operator: 'channel', operand: 1 },
      { operator: 'topic', operand: topic },
      { operator: 'sender', operand: owner.email },
    ]);
    const page = { narrow, anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
    return (await owner.api.get('/messages', page)).body.messages.map(({ id, content }: Shown) => ({ id, content }));
  };

  const ownAlive = (messages: readonly PastMessage[]): Shown[] =>
    messages
      .filter(({ deleted, sender }) => deleted === null && sender === 'Owner')
      .map(({ id, text }) => ({ id, content: text ?? '' }));

  it('is what people saw then, after sends, edits, moves and a deletion', async () => {
    const seen: { readonly position: number; readonly plans: Shown[]; readonly trip: Shown[] }[] = [];
    const look = async () => {
      const [newest] = (await owner.api.get('/audit/events', { limit: 1 })).body.events;
      seen.push({ position: newest.position, plans: await shownIn('plans'), trip: await shownIn('Trip') });
    };
    const ids: number[] = [];
    for (const text of ['one', 'two', 'three', 'four']) ids.push(await send('plans', text));
    await look();
    await owner.api.patch(`/messages/${ids[1]}`, { content: 'two, better' });
    await look();
    await owner.api.patch(`/messages/${ids[2]}`, { topic: 'trip', propagate_mode: 'change_later' });
    await look();
    ids.push(await send('trip', 'five'));
    await owner.api.patch(`/messages/${ids[0]}`, { topic: 'TRIP', propagate_mode: 'change_one' });
    await look();
    await owner.api.patch(`/messages/${ids[4]}`, { topic: 'Plans', propagate_mode: 'change_all' });
    await look();
    expect((await owner.api.delete(`/messages/${ids[3]}`)).status).toBe(200);
    await look();

    const events = await bothTopics();
    expect(sourcesOf([{ channelId: 1, topic: 'trip' }], events)).toEqual([{ channelId: 1, topic: 'plans' }]);
    for (const { position, plans, trip } of seen) {
      // Words of a deleted message are gone from all times.
      const known = ({ id }: Shown) => id !== ids[3];
      const then = (place: TopicName) =>
        topicThen(
          place,
          events.filter((event) => event.position <= position),
        );
      expect(ownAlive(then({ channelId: 1, topic: 'PLANS' })).filter(known)).toEqual(plans.filter(known));
      expect(ownAlive(then({ channelId: 1, topic: 'trip' })).filter(known)).toEqual(trip.filter(known));
    }
    expect(seen.map(({ plans, trip }) => [plans.length, trip.length])).toEqual([
      [4, 0],
      [4, 0],
      [2, 2],
      [1, 4],
      [5, 0],
      [4, 0],
    ]);
    const deleted = topicThen({ channelId: 1, topic: 'plans' }, events).find(({ id }) => id === ids[3]);
    expect(deleted).toMatchObject({ text: null, deleted: { by: 'Owner' } });
  });

  const bothTopics = async (): Promise<PastEvent[]> => {
    const all = new Map(
      [...(await pastOf('plans')), ...(await pastOf('trip'))].map((event) => [event.position, event]),
    );
    return [...all.values()].sort((a, b) => a.position - b.position);
  };
});
