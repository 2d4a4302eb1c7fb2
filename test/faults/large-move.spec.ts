import { afterEach, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { messages } from '../../projections/messages/messages.projection.js';
import type { DocumentStore, StoredDocument } from '../../src/platform/documents/document-store.js';
import { standInReport } from '../support/engines/mongodb/report.js';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { Fleet } from '../support/servers/fleet.js';

/** Together far more than MongoDB takes in one transaction. */
const [LONG, SHORT] = [Number(process.env.LONG_MESSAGES ?? 400), Number(process.env.SHORT_MESSAGES ?? 200)];
/** Milliseconds until documents have caught up. */
const LONGEST = 60_000 + LONG * 20 + SHORT * 5;
const LONG_TEXT = Array.from({ length: 1000 }, (_, n) => `word${n}`).join(' ');

interface Plan extends StoredDocument {
  readonly done?: number;
}

describeMongodb('a topic whose messages are more than one transaction of MongoDB takes', () => {
  let fleet: Fleet | undefined;
  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
  });

  /** Resolves while a move is half applied. */
  const halfMoved = (store: DocumentStore): Promise<void> =>
    eventually(async () => {
      const name = (await store.databases()).find((each) => each.startsWith(`${messages.name}.v`)) ?? '';
      const database = await store.database(name);
      try {
        expect(await database.has('eventInParts')).toBe(true);
        const plan = await database.collection<Plan>('eventInParts').findOne({ _id: 'plan' });
        expect(plan?.done).toBeGreaterThan(0);
      } finally {
        await database.close();
      }
    });

  it(
    'is moved, also if its worker is killed halfway, and is built again',
    async () => {
      // The command is an event of its own otherwise.
      const own = await Fleet.start({ apis: 1, workers: 1, environment: { ANNALS_ACCESS_DAYS: '0' } });
      fleet = own;
      const owner = await own.owner();
      const { user_id: senderId } = (await owner.get('users/me')) as unknown as { readonly user_id: number };
      const { streams } = (await owner.get('streams')) as unknown as {
        readonly streams: readonly { readonly name: string; readonly stream_id: number }[];
      };
      const channelId = streams.find(({ name }) => name === 'general')?.stream_id ?? 0;
      const texts = Array.from({ length: LONG + SHORT }, (_, n) => (n < LONG ? `${n} ${LONG_TEXT}` : `${n}`));
      await own.seed({ senderId, channelId, topic: 'long' }, texts);
      await own.api(0).caughtUp(LONGEST);
      const narrow = (topic: string) => [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: topic },
      ];
      const first = async (topic: string) => {
        const page = { anchor: 'oldest', num_before: 0, num_after: 1, narrow: narrow(topic) };
        const { messages: found } = (await owner.get('messages', page)) as unknown as { messages: { id: number }[] };
        return found[0]?.id;
      };
      const oldest = await first('long');

      const move = owner.patch(`messages/${oldest}`, { topic: 'elsewhere', propagate_mode: 'change_all' });
      await own.withDocuments(halfMoved);
      const [worker] = own.workers;
      await worker?.kill();
      own.workers.splice(0, 1, await own.addWorker());
      expect(await move).toMatchObject({ result: 'success' });
      await own.api(0).caughtUp(LONGEST);

      const moved = await own.documents();
      await own.rebuild();
      expect(await own.documents()).toEqual(moved);
      const client = await MongoClient.connect(own.mongodbUrl);
      // A real server tells nothing of it, and refuses.
      const report = await standInReport(client.db()).catch(() => null);
      await client.close();
      expect(report?.tooLarge ?? 0).toBe(0);
      expect(report?.largestTransaction.bytes ?? 0).toBeLessThan(8.5 * 1024 * 1024);
      // Besides the documents of a part: the fence, the plan and the checkpoint.
      expect(report?.largestTransaction.documents ?? 0).toBeLessThanOrEqual(1000 + 3);

      expect(await first('elsewhere')).toBe(oldest);
      expect(await first('long')).toBeUndefined();
    },
    4 * LONGEST,
  );
});
