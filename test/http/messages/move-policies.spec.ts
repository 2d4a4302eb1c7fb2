import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const FOLLOWED = 3;
const MUTED = 1;

describe('the policies of users for a topic that is moved', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let outsider: Member;
  let open: number;
  let closed: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [reader, outsider] = [await annals.user('reader'), await annals.user('outsider')];
    open = await channel('open', [owner, reader, outsider]);
    closed = await channel('closed', [owner, reader], { invite_only: true });
  });
  afterAll(() => annals.stop());

  async function channel(name: string, members: readonly Member[], more: object = {}): Promise<number> {
    const principals = members.map(({ id }) => id);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
    return (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  const sent = async (to: number, topic: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to, topic, content: 'words' })).body.id;

  const says = (who: Member, topic: string, visibility_policy: number, stream_id = open) =>
    who.api.post('/user_topics', { stream_id, topic, visibility_policy });

  async function policiesOf(who: Member): Promise<[number, string, number][]> {
    const { state } = await EventQueue.register(who.api, { fetch_event_types: ['user_topic'] });
    return state.user_topics.map(({ stream_id, topic_name, visibility_policy }: Record<string, never>) => [
      stream_id,
      topic_name,
      visibility_policy,
    ]);
  }

  it('move with the whole topic, and the clients of the users are told', async () => {
    const id = await sent(open, 'tea');
    await says(reader, 'Tea', FOLLOWED);
    await says(outsider, 'tea', MUTED);
    const queue = await EventQueue.register(reader.api, { event_types: ['user_topic'] });
    await owner.api.patch(`/messages/${id}`, { stream_id: closed, topic: 'milk', propagate_mode: 'change_all' });
    expect(await policiesOf(reader)).toEqual([[closed, 'milk', FOLLOWED]]);
    expect(await policiesOf(outsider)).toEqual([]);
    expect(await queue.drain()).toMatchObject([
      { stream_id: open, topic_name: 'Tea', visibility_policy: 0 },
      { stream_id: closed, topic_name: 'milk', visibility_policy: FOLLOWED },
    ]);
    await says(reader, 'milk', 0, closed);
  });

  it('stay when only a part of the topic is moved', async () => {
    const id = await sent(open, 'rice');
    await sent(open, 'rice');
    await says(reader, 'rice', MUTED);
    await owner.api.patch(`/messages/${id}`, { topic: 'wheat', propagate_mode: 'change_one' });
    expect(await policiesOf(reader)).toEqual([[open, 'rice', MUTED]]);
    await says(reader, 'rice', 0);
  });

  it('are merged with the policies for the topic that it joins', async () => {
    const id = await sent(open, 'plum');
    await sent(open, 'pear');
    await says(reader, 'plum', MUTED);
    await says(outsider, 'pear', MUTED);
    await owner.api.patch(`/messages/${id}`, { topic: 'pear', propagate_mode: 'change_all' });
    expect(await policiesOf(reader)).toEqual([]);
    expect(await policiesOf(outsider)).toEqual([]);
  });

  it('move once: later policies stay, even if the consequences run again', async () => {
    const id = await sent(open, 'oats');
    await says(reader, 'oats', FOLLOWED);
    await owner.api.patch(`/messages/${id}`, { topic: '✔ oats', propagate_mode: 'change_all' });
    // Waits for the move of the policy: a policy that is set before it would move, too.
    await eventually(async () => expect(await policiesOf(reader)).toEqual([[open, '✔ oats', FOLLOWED]]));
    await says(reader, 'oats', MUTED);
    const before = await annals.events();
    const expected = [
      [open, 'oats', MUTED],
      [open, '✔ oats', FOLLOWED],
    ];
    expect(await policiesOf(reader)).toEqual(expected);
    await annals.restart(() => annals.removeDocuments());
    expect(await policiesOf(reader)).toEqual(expected);
    const isOfQueues = ({ stream }: { readonly stream: string }) => stream === 'eventQueues';
    const after = await annals.events();
    expect(after.filter((event) => !isOfQueues(event))).toEqual(before.filter((event) => !isOfQueues(event)));
  });
});
