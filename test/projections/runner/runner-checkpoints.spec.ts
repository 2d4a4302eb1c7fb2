import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { projections } from '../../../projections/index.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import {
  type DocumentDatabase,
  DocumentStoreUnavailable,
  type StoredCheckpoint,
} from '../../../src/platform/documents/document-store.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { eventually } from '../../support/eventually.js';
import {
  applications,
  keyIssued,
  Roster,
  roster,
  userCreated,
  userDeactivated,
} from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

const checkpointOf = async (server: Roster): Promise<number | null> => (await liveDatabase(server)).checkpoint();

const liveDatabase = (server: Roster): Promise<DocumentDatabase> => {
  const { database } = server.statusOf(roster);
  if (database === null) throw new Error('nothing is live');
  return server.engines.documentStore.database(database);
};

const storedIn = async (dataDirectory: string): Promise<readonly StoredCheckpoint[]> => {
  const { documentStore, close } = await openEngines({ dataDirectory });
  return documentStore.checkpoints().finally(close);
};

describe('a checkpoint', () => {
  it('is stored together with the documents that it stands for', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, checkpointInterval: 600_000 });
      const position = await server.append(userCreated(1));
      await server.caughtUp();
      expect(await checkpointOf(server)).toBe(position);
      await server.close();
    }));

  it('is stored only when the server stops if the batch wrote nothing', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, checkpointInterval: 600_000 });
      await server.append(userCreated(1));
      await server.caughtUp();
      const stored = await checkpointOf(server);
      const position = await server.append(keyIssued(1), keyIssued(1));
      await server.caughtUp();
      expect(server.runner.position(roster)).toBe(position);
      expect(await checkpointOf(server)).toBe(stored);
      await server.close();

      const again = await Roster.open({ dataDirectory });
      await again.runner.start();
      expect(await checkpointOf(again)).toBe(position);
      await again.close();
    }));

  it('is stored after the checkpoint interval if the batch wrote nothing', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, checkpointInterval: 20 });
      const position = await server.append(keyIssued(1));
      await eventually(async () => expect(await checkpointOf(server)).toBe(position));
      await server.close();
    }));

  it('names the newest event at its position, even if that event changed no document', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, checkpointInterval: 600_000 });
      await server.append(userCreated(1));
      const position = await server.append(userDeactivated(1));
      await server.caughtUp();
      await server.close();
      const named = await storedIn(dataDirectory);
      expect(named.map((each) => each.event?.position)).toEqual([position, position, position]);
      expect(new Set(named.map((each) => each.event?.id)).size).toBe(1);

      const behind = await Roster.open({ dataDirectory });
      const later = await behind.append(userDeactivated(1));
      await behind.runner.start();
      await behind.caughtUp();
      await behind.close();
      expect(await storedIn(dataDirectory)).toMatchObject(
        named.map(({ event }) => ({
          position: later,
          event: { stream: 'users', revision: (event?.revision ?? 0) + 1, position: later },
        })),
      );
    }));

  it('can name any event, because each event type is handled by a projection', () => {
    const handled = new Set(projections.flatMap(({ on }) => Object.keys(on)));
    expect([...eventRegistry.keys()].filter((type) => !handled.has(type))).toEqual([]);
  });

  it('that is ahead of the log has its documents rebuilt', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory });
      await server.append(userCreated(1, 'kept'));
      await server.caughtUp();
      await (await liveDatabase(server)).transaction((transaction) => transaction.setCheckpoint(1_000));
      const { database } = server.statusOf(roster);
      await server.close();

      const again = await Roster.start({ dataDirectory });
      expect(await again.people()).toMatchObject([{ name: 'kept' }]);
      expect(again.statusOf(roster).database).not.toBe(database);
      await again.close();
    }));
});

describe('a projection', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ append: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 2, arbitrary: fc.constant('passed over' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
    { weight: 1, arbitrary: fc.constant('crash' as const) },
  );

  it('applies every event exactly once, whenever the server stops or is killed', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) =>
        withScratch(async (dataDirectory) => {
          let server = await Roster.start({ dataDirectory });
          let users = 0;
          for (const what of steps) {
            if (what === 'restart' || what === 'crash') {
              if (what === 'crash') await die(server);
              await server.close();
              server = await Roster.start({ dataDirectory });
            } else if (what === 'passed over') {
              await server.append(keyIssued(1));
            } else {
              const created = Array.from({ length: what.append }, () => userCreated(++users));
              await server.append(...created, userDeactivated(users));
            }
          }
          await server.caughtUp();
          expect(await server.people()).toHaveLength(users);
          expect(await server.timesApplied()).toEqual(users > 0 ? [1] : []);
          expect(server.statusOf(applications).state).toBe('running');
          await server.close();
        }),
      ),
      { numRuns: 8 },
    ));
});

/** Refuses all further writes, as if the process was killed. */
async function die(server: Roster): Promise<void> {
  for (const { database } of server.runner.status()) {
    if (database === null) continue;
    const opened = await server.engines.documentStore.database(database);
    opened.transaction = () => Promise.reject(new DocumentStoreUnavailable('killed'));
  }
}
