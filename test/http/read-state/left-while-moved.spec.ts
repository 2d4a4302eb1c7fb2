import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subscriptionsStream } from '../../../src/events/channels/subscriptions.events.js';
import { topicsStream } from '../../../src/events/messages/topics.events.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../src/platform/commands/read-your-writes.js';
import { dice } from '../../support/dice.js';
import { move } from '../../support/events/moves.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Answers the unread messages of a client that applies only the flags of client events. */
function unreadTold(state: ClientEvent, events: readonly ClientEvent[]): number[] {
  const unread = new Set(unreadIn(state));
  for (const event of events) {
    if (event.type === 'message' && !event.flags.includes('read')) unread.add(event.message.id);
    if (event.type === 'delete_message') for (const id of event.message_ids ?? [event.message_id]) unread.delete(id);
    if (event.type !== 'update_message_flags' || event.flag !== 'read') continue;
    for (const id of event.messages) unread[event.op === 'add' ? 'delete' : 'add'](id);
  }
  return sorted(unread);
}

const unreadIn = ({ unread_msgs: { streams } }: ClientEvent): number[] =>
  sorted(streams.flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids));

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

describe('a user who leaves a channel while its messages are moved', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    reader = await annals.user('reader');
  });
  afterAll(() => annals.stop());

  async function newChannel(principals: readonly Member[]): Promise<number> {
    const name = `channel ${++made}`;
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [owner.id, ...principals.map(({ id }) => id)],
      invite_only: made % 3 === 0,
    });
    return (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'is told the final flags of each message (interleaving %i)',
    async (seed) => {
      const roll = dice(seed);
      const channel = await newChannel([reader]);
      const others = [await newChannel([reader]), await newChannel([])] as const;
      const ids: number[] = [];
      for (let count = 0; count < 6; count++) {
        const to = roll(4) === 0 ? others[0] : channel;
        const sent = { type: 'channel', to, topic: `t${roll(2)}`, content: 'words', read_by_sender: false };
        ids.push((await owner.api.post('/messages', sent)).body.id);
      }
      const read = ids.filter(() => roll(3) === 0);
      await reader.api.post('/messages/flags', { messages: read, op: 'add', flag: 'read' });
      const queue = await EventQueue.register(reader.api, { apply_markdown: false });
      expect(unreadIn(queue.state).filter((id) => ids.includes(id))).toEqual(ids.filter((id) => !read.includes(id)));

      const runner = annals.app.get(CommandRunner);
      const by = { actorId: owner.id, client: 'test', correlationId: 'test' };
      const data = { channelId: channel, userIds: [reader.id] };
      const steps = [
        () => runner.report(subscriptionsStream(channel), { type: 'UsersUnsubscribed', data }, by),
        ...Array.from({ length: 3 }, () => {
          const [from, to] = [roll(4) === 0 ? others[0] : channel, others[roll(2)] ?? channel];
          const [topic, name] = [`t${roll(2)}`, `t${roll(2)}`];
          const anchorId = ids[roll(ids.length)] ?? 0;
          const places = [
            { channelId: from, topic },
            { channelId: roll(4) === 0 ? channel : to, topic: name },
          ] as const;
          const propagateMode = roll(2) === 0 ? 'change_all' : 'change_later';
          const notices = { oldThread: false, newThread: false };
          const moved = move(...places, { anchorId, propagateMode, notices, isWholeTopic: false });
          return () => runner.report(topicsStream(from), { type: 'MessagesMoved', data: moved }, by);
        }),
      ];
      const inOrder = steps.map((step) => ({ step, at: roll(100) })).sort((a, b) => a.at - b.at);
      const appended = await Promise.all(inOrder.map(({ step }) => step()));
      const last = Math.max(...appended.map(({ position }) => position));
      await annals.app.get(ReadYourWrites).waitFor(last, [{ type: 'UsersUnsubscribed' }, { type: 'MessagesMoved' }]);

      const fresh = await EventQueue.register(reader.api);
      const told = unreadTold(queue.state, await queue.drain());
      expect(told).toEqual(unreadIn(fresh.state));
    },
  );
});
