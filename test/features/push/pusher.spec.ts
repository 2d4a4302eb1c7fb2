import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { PUSHES } from '../../../src/features/push/reactors/push-tasks.js';
import { openPusher } from '../../../src/features/push/reactors/pusher.js';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import type { OpenFollower } from '../../../src/platform/consumers/follower.js';
import { passedOverIn } from '../../../src/platform/consumers/passed-over.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { later, type PushSender } from '../../../src/platform/push/push-sender.js';
import { eventually } from '../../support/eventually.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';

/** Documents that are always as far as anyone asks. */
class UpToDate extends AppliedByHand {
  override position(): number {
    return Number.MAX_SAFE_INTEGER;
  }
}

const away = later('away');
const sender: PushSender = {
  registry: null,
  askPermission: async () => {},
  newPermission: () => null,
  sendTest: async () => away,
  register: async () => away,
  sendPlain: async () => away,
  sendEncrypted: async () => away,
  close: async () => {},
};

it('a message that cannot be pushed for a reason of its own holds no other up, and is tried at the next start', () =>
  withScratch(async (folder) => {
    const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const keys = await SqliteContentKeys.open(folder);
    const codec = new EventCodec(keys, eventRegistry);
    const readModels = new UpToDate(documentStore);
    await readModels.apply(directoryProjection, [], START);
    const said: string[] = [];
    const start = async (): Promise<OpenFollower> => {
      const runner = new CommandRunner(eventStore, keys, codec);
      const setting = { eventStore, documentStore, codec, readModels, runner, sender, bus: new InProcessBus() };
      const pusher = openPusher({
        ...setting,
        directoryFollower: null,
        site: () => 'http://localhost',
        report: () => {},
        say: (line) => said.push(line),
      });
      await pusher.start();
      return pusher;
    };
    const append = async (type: string, data: Record<string, never> | { userId: number }): Promise<number> => {
      const version = eventRegistry.get(type)?.version ?? 1;
      const metadata = { actorId: 1, client: 'test', at: 1, correlationId: 'c', causationId: null };
      return (await eventStore.append(type, [{ id: randomUUID(), type, version, data, metadata }], 'any')).position;
    };
    const count = async (): Promise<number> => (await passedOverIn(documentStore, [PUSHES.database], 20)).count;
    const database = await documentStore.database(PUSHES.database);
    try {
      const first = await start();
      // There are no documents of messages at all.
      await append('MessageSent', {});
      const last = await append('AllMessagesRead', { userId: 1 });
      await eventually(async () => expect(await database.checkpoint()).toBe(last));
      expect(await count()).toBe(1);
      expect(said).toEqual([expect.stringMatching(/^push passes over MessageSent /)]);
      await first.close();

      await readModels.apply(messages, [], START);
      const second = await start();
      await eventually(async () => expect(await count()).toBe(0));
      expect(said[1]).toMatch(/^push has handled MessageSent /);
      await second.close();
    } finally {
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }
  }));
