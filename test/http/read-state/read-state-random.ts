import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FLAGS, type FlagDocument, readState } from '../../../projections/read-state/read-state.projection.js';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { type Act, Storm } from '../../support/client-state/storm.js';
import { dice, oneOf } from '../../support/dice.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** A simple model: keeps the unread and starred messages of a reader message by message. */
class PlainReader {
  readonly unread = new Set<number>();
  readonly starred = new Set<number>();
  private readonly channelOf = new Map<number, number | null>();
  readonly subscribed = new Set<number>();

  come(id: number, channelId: number | null): void {
    this.channelOf.set(id, channelId);
    if (channelId === null || this.subscribed.has(channelId)) this.unread.add(id);
  }

  leave(channelId: number): void {
    this.subscribed.delete(channelId);
    for (const id of this.in(channelId)) this.unread.delete(id);
  }

  mark(id: number, isUnread: boolean): void {
    const channelId = this.channelOf.get(id) ?? null;
    if (!isUnread) this.unread.delete(id);
    else if (channelId === null || this.subscribed.has(channelId)) this.unread.add(id);
  }

  in(channelId: number): number[] {
    return [...this.channelOf].flatMap(([id, place]) => (place === channelId ? [id] : []));
  }

  get ids(): number[] {
    return [...this.channelOf.keys()];
  }
}

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** Specs of random histories of one reader, one for each seed; with `byEvents`, also of concurrent changes. */
export function randomReadStates({
  seeds,
  byEvents = false,
}: {
  readonly seeds: readonly number[];
  readonly byEvents?: boolean;
}): void {
  describe('the read state of a user', () => {
    let annals: Annals;
    let anna: Member;
    let reader: Member;
    const channels: { id: number; name: string }[] = [];
    let made = 0;

    beforeAll(async () => {
      annals = await Annals.start();
      anna = await annals.user('anna');
      reader = await annals.user('reader');
      for (const name of ['one', 'two', 'three']) {
        await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
        channels.push({ name, id: (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id });
      }
    });
    afterAll(() => annals.stop());

    async function known(): Promise<{ unread: number[]; starred: number[]; queue: EventQueue }> {
      const queue = await EventQueue.register(reader.api);
      const { streams, pms, huddles } = queue.state.unread_msgs;
      const ids = [...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);
      return { unread: sorted(ids), starred: queue.state.starred_messages, queue };
    }

    async function narrowedTo(operand: string): Promise<number[]> {
      const page = { anchor: 'oldest', num_before: 0, num_after: 1000, narrow: [['is', operand]] };
      const { body } = await reader.api.get('/messages', page);
      return body.messages.map(({ id }: { id: number }) => id);
    }

    const documents = (): Promise<FlagDocument[]> =>
      annals.app
        .get<ReadModels>(READ_MODELS)
        .collection<FlagDocument>(readState, FLAGS)
        .find({}, { sort: { _id: 1 }, limit: 1000 });

    function actsOn(plain: PlainReader): readonly Act[] {
      return [
        {
          name: 'the reader subscribes',
          run: async (roll) => {
            const { id, name } = oneOf(channels, roll);
            await reader.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
            plain.subscribed.add(id);
          },
        },
        {
          name: 'the reader unsubscribes',
          run: async (roll) => {
            const { id, name } = oneOf(channels, roll);
            await reader.api.delete('/users/me/subscriptions', { subscriptions: [name] });
            plain.leave(id);
          },
        },
        {
          name: 'everything may be marked as read',
          run: async (roll) => {
            if (roll(4) > 0) return;
            await reader.api.post('/mark_all_as_read');
            plain.unread.clear();
          },
        },
        {
          name: 'a channel is marked as read',
          run: async (roll) => {
            const { id: stream_id } = oneOf(channels, roll);
            await reader.api.post('/mark_stream_as_read', { stream_id });
            for (const id of plain.in(stream_id)) plain.unread.delete(id);
          },
        },
        {
          name: 'messages are flagged',
          weight: 3,
          run: async (roll) => {
            const some = plain.ids.filter(() => roll(4) === 0);
            const flags = { op: oneOf(['add', 'remove'], roll), flag: oneOf(['read', 'starred'], roll) };
            const { body } = await reader.api.post('/messages/flags', { messages: some, ...flags });
            const before = flags.flag === 'read' ? plain.unread : plain.starred;
            const was = new Set(before);
            for (const id of some) {
              if (flags.flag === 'read') plain.mark(id, flags.op === 'remove');
              else if (flags.op === 'add') plain.starred.add(id);
              else plain.starred.delete(id);
            }
            expect(body.messages).toEqual(sorted(some.filter((id) => was.has(id) !== before.has(id))));
          },
        },
        {
          name: 'a direct message comes',
          run: async () => {
            const message = { type: 'direct', to: [reader.id], content: `m${++made}` };
            plain.come((await anna.api.post('/messages', message)).body.id, null);
          },
        },
        {
          name: 'a message comes to a channel',
          weight: 4,
          run: async (roll) => {
            const { id: to } = oneOf(channels, roll);
            const message = { type: 'channel', to, topic: oneOf(['a', 'b'], roll), content: `m${++made}` };
            plain.come((await anna.api.post('/messages', message)).body.id, to);
          },
        },
      ];
    }

    async function expectKnown(plain: PlainReader): Promise<void> {
      const { unread, starred } = await known();
      expect({ unread, starred }).toEqual({ unread: sorted(plain.unread), starred: sorted(plain.starred) });
      expect({ unread: await narrowedTo('unread'), starred: await narrowedTo('starred') }).toEqual({ unread, starred });
      const { body } = await reader.api.get('/messages', { anchor: 'first_unread', num_before: 0, num_after: 0 });
      expect(body.anchor).toBe(unread[0] ?? 10_000_000_000_000_000);
    }

    it.each(seeds)('equals the simple model, live and after a rebuild (history %i)', async (seed) => {
      const plain = new PlainReader();
      for (const { name } of channels) await reader.api.delete('/users/me/subscriptions', { subscriptions: [name] });
      await reader.api.post('/mark_all_as_read');
      const { starred: starredBefore } = await known();
      await reader.api.post('/messages/flags', { messages: starredBefore, op: 'remove', flag: 'starred' });

      const storm = new Storm(seed, actsOn(plain));
      for (let count = 0; count < 120; count++)
        await storm.step(async (step) => {
          if (step % 8 === 0) await expectKnown(plain);
        });

      const live = await documents();
      expect(live.length).toBeGreaterThan(0);
      await annals.app.get<ReadSide>(READ_SIDE).rebuild(['read-state'], () => {});
      expect(await documents()).toEqual(live);
      const { unread, starred } = await known();
      expect({ unread, starred }).toEqual({ unread: sorted(plain.unread), starred: sorted(plain.starred) });
    });

    const ifByEvents = byEvents ? it : it.skip;

    ifByEvents('is the same by client events as by a new registration, after many concurrent changes', async () => {
      await reader.api.post('/users/me/subscriptions', { subscriptions: channels.map(({ name }) => ({ name })) });
      await reader.api.post('/mark_all_as_read');
      const { queue } = await known();
      const ids: number[] = [];
      const hand = async (index: number): Promise<void> => {
        const roll = dice(index + 1);
        for (let step = 0; step < 12; step++) {
          const message = { type: 'channel', to: channels[roll(3)]?.id, topic: 't', content: `m${++made}` };
          ids.push((await anna.api.post('/messages', message)).body.id);
          const messages = ids.filter(() => roll(3) === 0);
          const op = roll(2) === 0 ? 'add' : 'remove';
          expect((await reader.api.post('/messages/flags', { messages, op, flag: 'read' })).status).toBe(200);
          if (roll(12) === 0) await reader.api.post('/mark_all_as_read');
        }
      };
      await Promise.all(Array.from({ length: 6 }, (_, index) => hand(index)));
      const unread = new Set<number>();
      for (const event of await queue.drain()) {
        if (event.type === 'message' && !event.flags.includes('read')) unread.add(event.message.id);
        if (event.type !== 'update_message_flags') continue;
        if (event.all) unread.clear();
        for (const id of event.messages) {
          if (event.op === 'add') unread.delete(id);
          else unread.add(id);
        }
      }
      expect((await known()).unread).toEqual(sorted(unread));
    });
  });
}
