import { expect, it } from '@jest/globals';
import { projections } from '../../../projections/index.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { topicsStream } from '../../../src/events/messages/topics.events.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { describeMongodb, ownDatabase } from '../../support/engines/mongodb.js';
import { move } from '../../support/events/moves.js';
import { buildTurn, databaseOfBuild } from '../../support/projections/killed-build.js';
import { documentsIn } from '../../support/projections/projected.js';
import { withScratch } from '../../support/scratch.js';
import { RunningServer } from '../../support/servers/running-server.js';
import { seedMessages } from '../../support/servers/seeded-messages.js';

/** More than a transaction writes. */
const MESSAGES = 1500;
const NEVER = 0;
const MOST_TURNS = 60;

/** Writes an organization, messages, a move of all of them, which is applied in parts, and more messages. */
async function writeLog(dataDirectory: string): Promise<void> {
  await (await RunningServer.start(dataDirectory)).stop();
  const texts = Array.from({ length: MESSAGES }, (_, n) => `message ${n}`);
  await seedMessages({ dataDirectory }, { senderId: 1, channelId: 1, topic: 'a' }, texts);
  const engines = await openEngines({ dataDirectory });
  const codec = new EventCodec(engines.contentKeys, eventRegistry);
  const [from, to] = [
    { channelId: 1, topic: 'a' },
    { channelId: 1, topic: 'b' },
  ];
  const data = move(from, to, { anchorId: 1, messageCount: MESSAGES });
  const metadata = { actorId: 1, client: 'test', at: 1, correlationId: newEventId(), causationId: null };
  const moved = codec.encode({ type: 'MessagesMoved', data }, newEventId(), metadata);
  await engines.eventStore.append(topicsStream(1), [moved], 'any');
  await engines.close();
  await seedMessages({ dataDirectory }, { senderId: 1, channelId: 1, topic: 'a' }, texts.slice(0, 100));
}

/** Runs `work` with the address of a database of its own. @returns all documents that it built */
async function builtBy(work: (mongodbUrl: string) => Promise<unknown>) {
  const own = ownDatabase();
  try {
    await work(own.url);
    const store = await MongoDocumentStore.open(await own.connect());
    const found: Record<string, unknown> = {};
    for (const projection of projections) {
      const database = await store.database(databaseOfBuild(projection));
      found[projection.name] = await documentsIn(database, projection);
      if (await database.has('eventInParts'))
        expect(await database.collection('eventInParts').countDocuments({})).toBe(0);
    }
    await store.close();
    return found;
  } finally {
    await own.remove();
  }
}

describeMongodb('a build on MongoDB whose process is killed at each of its commits, just before or just after', () => {
  it('leaves the documents of a build without a kill', () =>
    withScratch(async (dataDirectory) => {
      await writeLog(dataDirectory);
      const whole = await builtBy(async (mongodbUrl) => {
        const turn = await buildTurn({ dataDirectory, mongodbUrl, token: 1, commit: NEVER });
        expect(turn).toEqual({ isKilled: false, printed: '' });
      });
      expect(JSON.stringify(whole)).toContain('message 1499');

      let kills = 0;
      const interrupted = await builtBy(async (mongodbUrl) => {
        for (let token = 1; token < MOST_TURNS; token++) {
          // The first commit of each process but the first is the one that the process before may have lost.
          const commit = token === 1 ? 1 : 2;
          const { isKilled, printed } = await buildTurn({ dataDirectory, mongodbUrl, token, commit });
          expect(printed).toBe('');
          if (!isKilled) return;
          kills++;
        }
        throw new Error(`the build is not done after ${kills} kills`);
      });
      expect(kills).toBeGreaterThan(3);
      expect(interrupted).toEqual(whole);
    }));
});
