import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { eventually } from '../../support/eventually.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const TYPES = ['message', 'update_message', 'delete_message', 'reaction'];

/** Answers the place of each message by the client events: `<channel>/<topic>`. */
function placesToldOf(events: readonly ClientEvent[]): Record<number, string> {
  const places: Record<number, string> = {};
  for (const event of events) {
    if (event.type === 'message') places[event.message.id] = `${event.message.stream_id}/${event.message.subject}`;
    if (event.type === 'delete_message') delete places[event.message_id];
    if (event.type !== 'update_message' || event.propagate_mode === undefined) continue;
    const { message_ids, stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject } = event;
    for (const id of message_ids) {
      // The client has the message at the place that the event names as the former one.
      expect(`${id} in ${places[id]}`).toBe(`${id} in ${stream_id}/${orig_subject}`);
      places[id] = `${new_stream_id}/${subject}`;
    }
  }
  return places;
}

describe('moves among other concurrent requests', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let channel: number;
  let other: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    reader = await annals.user('reader');
    [channel, other] = [await newChannel('one'), await newChannel('other')];
  });
  afterAll(() => annals.stop());

  async function newChannel(name: string): Promise<number> {
    const principals = [owner.id, reader.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    return (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  const sent = async (topic: string, by = owner, to = channel): Promise<number> =>
    (await accepted(() => by.api.post('/messages', { type: 'channel', to, topic, content: 'words' }))).body.id;

  const moves = (id: number, to: object, propagate_mode = 'change_all') =>
    accepted(() =>
      owner.api.patch(`/messages/${id}`, { ...to, propagate_mode, send_notification_to_new_thread: false }),
    );

  /** Repeats a request that is refused because the server is overloaded. Such a request has changed nothing. */
  const accepted = <Answer extends { body: { code?: string } }>(ask: () => Promise<Answer>): Promise<Answer> =>
    eventually(async () => {
      const answer = await ask();
      expect(answer.body.code).not.toBe('SERVICE_UNAVAILABLE');
      return answer;
    });

  /** Answers the place of each message as GET /messages gives it. */
  async function placesRead(ids: ReadonlySet<number>): Promise<Record<number, string>> {
    // Waits until all moves are applied, because the channels are read one after the other.
    const head = await annals.head();
    await eventually(() => {
      const read = annals.app
        .get<ReadSide>(READ_SIDE)
        .status()
        .find(({ name }) => name === 'messages');
      expect(read?.position).toBeGreaterThanOrEqual(head);
    });
    const places: Record<number, string> = {};
    for (const operand of [channel, other]) {
      const page = { anchor: 'newest', num_before: 5000, num_after: 0, narrow: [{ operator: 'channel', operand }] };
      for (const { id, stream_id, subject } of (await reader.api.get('/messages', page)).body.messages) {
        if (!ids.has(id)) continue;
        expect(places[id]).toBeUndefined();
        places[id] = `${stream_id}/${subject}`;
      }
    }
    return places;
  }

  it('leave every message in one topic during a thousand sends, and every client knows which', async () => {
    const queue = await EventQueue.register(reader.api, { event_types: TYPES });
    const anchor = await sent('busy');
    const ids = new Set([anchor]);
    const sends = Array.from({ length: 1000 }, async (_, index) => {
      ids.add(await sent('busy', index % 2 ? owner : reader));
    });
    await Promise.race(sends);
    const [moved, again] = await Promise.all([moves(anchor, { topic: 'calm' }), moves(anchor, { stream_id: other })]);
    expect([moved.status, again.status]).toEqual([200, 200]);
    await Promise.all(sends);

    const read = await placesRead(ids);
    expect(Object.keys(read)).toHaveLength(1001);
    expect(read[anchor]).toBe(`${other}/calm`);
    const told = placesToldOf(await queue.drain());
    expect(told).toEqual(read);
    const all = new Set(Object.values(read));
    for (const place of all)
      expect([`${channel}/busy`, `${channel}/calm`, `${other}/busy`, `${other}/calm`]).toContain(place);
  });

  it('of one topic at the same time leave it in one place', async () => {
    const queue = await EventQueue.register(reader.api, { event_types: TYPES });
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.push(await sent('whole'));
    const [first, last] = [ids[0] as number, ids.at(-1) as number];
    const answers = await Promise.all([
      moves(first, { topic: 'left' }),
      moves(last, { topic: 'right' }),
      moves(first, { stream_id: other }, 'change_later'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const read = await placesRead(new Set(ids));
    expect(new Set(Object.values(read)).size).toBe(1);
    expect(placesToldOf(await queue.drain())).toEqual(read);
  });

  it('do not lose concurrent edits, deletions and reactions', async () => {
    const queue = await EventQueue.register(reader.api, { event_types: TYPES });
    const ids: number[] = [];
    for (let count = 0; count < 30; count++) ids.push(await sent('lively'));
    const answers = await Promise.all(
      ids.flatMap((id, index) => [
        owner.api.patch(`/messages/${id}`, { content: `anew ${id}` }),
        reader.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
        ...(index % 5 === 0
          ? [moves(id, { topic: `lively ${index}` }, index % 2 ? 'change_one' : 'change_later')]
          : []),
        ...(index % 7 === 3 ? [owner.api.delete(`/messages/${id}`)] : []),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const read = await placesRead(new Set(ids));
    const events = await queue.drain();
    expect(placesToldOf(events)).toEqual(read);
    for (const id of Object.keys(read).map(Number)) {
      const about = events.filter(({ type, message_id }) => type !== 'delete_message' && message_id === id);
      expect(about.some(({ content }) => content === `anew ${id}`)).toBe(true);
      expect(about.some(({ type }) => type === 'reaction')).toBe(true);
    }
  });

  it('give the same client events after a restart and a rebuild, and append nothing again', async () => {
    const late = await EventQueue.register(reader.api, {
      event_types: [...TYPES, 'update_message_flags', 'user_topic'],
    });
    const ids = [await sent('story'), await sent('story'), await sent('story')] as const;
    await reader.api.post('/user_topics', { stream_id: channel, topic: 'story', visibility_policy: 3 });
    await owner.api.patch(`/messages/${ids[0]}`, { topic: '✔ story', propagate_mode: 'change_all' });
    const there = { stream_id: other, topic: 'tale', send_notification_to_old_thread: true };
    await owner.api.patch(`/messages/${ids[1]}`, { ...there, propagate_mode: 'change_later' });
    await owner.api.delete(`/messages/${ids[2]}`);
    const text = async () =>
      JSON.stringify(
        (await reader.api.get('/events', { queue_id: late.id, last_event_id: -1, dont_block: true })).body,
      );
    // Answers wait for notices for a limited time only.
    const before = await eventually(async () => {
      const told = await text();
      for (const notice of ['marked this topic as resolved', ' from here to ', ' here from '])
        expect(told).toContain(notice);
      return told;
    });
    await annals.restart();
    expect(await text()).toBe(before);
    // The restart has also finished the consequences for which answers do not wait.
    const head = await annals.head();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events', 'messages'], () => {});
    expect(await text()).toBe(before);
    await annals.restart(() => annals.removeDocuments());
    expect(await text()).toBe(before);
    expect(await annals.events(undefined, head)).toEqual([]);
  });
});
