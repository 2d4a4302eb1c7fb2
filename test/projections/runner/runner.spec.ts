import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DocumentStoreUnavailable } from '../../../src/platform/documents/document-store.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { eventually } from '../../support/eventually.js';
import {
  applications,
  delicate,
  keyIssued,
  Roster,
  roster,
  userCreated,
  userDeactivated,
} from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

const running =
  (work: (roster: Roster, dataDirectory: string) => Promise<void>, options = {}) =>
  () =>
    withScratch(async (dataDirectory) => {
      const started = await Roster.start({ dataDirectory, ...options });
      try {
        await work(started, dataDirectory);
      } finally {
        await started.close();
      }
    });

describe('live projections', () => {
  it(
    'show an event after a reader has waited for its position',
    running(async (server) => {
      const position = await server.append(userCreated(1, 'Ada'), userCreated(2, 'Grace'), userDeactivated(2));
      await server.runner.waitFor([roster], position);
      expect(await server.people()).toMatchObject([
        { _id: 1, name: 'Ada', active: true },
        { _id: 2, name: 'Grace', active: false },
      ]);
      expect(server.runner.position(roster)).toBeGreaterThanOrEqual(position);
      expect(server.runner.ready()).toBe(true);
    }),
  );

  it(
    'see their own earlier changes within one batch',
    running(async (server) => {
      const position = await server.appendTogether([userCreated(1), userDeactivated(1), userCreated(2)]);
      await server.runner.waitFor([roster], position);
      expect(await server.people()).toMatchObject([{ active: false }, { active: true }]);
    }),
  );

  it(
    'move past events that they do not handle, so that no reader waits for these in vain',
    running(async (server) => {
      const position = await server.append(keyIssued(1));
      await server.runner.waitFor([roster, applications, delicate], position);
      expect(server.runner.position(roster)).toBeGreaterThanOrEqual(position);
      expect(await server.people()).toEqual([]);
    }),
  );

  it(
    'tell a listener each position that they reach, until the listener stops',
    running(async (server) => {
      const heard: Position[] = [];
      const stop = server.runner.onApplied(roster, (position) => heard.push(position));
      const position = await server.append(userCreated(1));
      await server.runner.waitFor([roster], position);
      expect(heard.at(-1)).toBe(position);
      stop();
      const { length } = heard;
      await server.runner.waitFor([roster], await server.append(userCreated(2)));
      expect(heard).toHaveLength(length);
    }),
  );

  it(
    'go on if a listener throws',
    running(async (server) => {
      server.runner.onApplied(roster, () => {
        throw new Error('a listener');
      });
      await server.runner.waitFor([roster], await server.append(userCreated(1)));
      await server.runner.waitFor([roster], await server.append(userCreated(2)));
      expect(await server.people()).toHaveLength(2);
      expect(server.statusOf(roster).state).toBe('running');
    }),
  );

  it(
    'are waited for no longer than the longest wait',
    running(
      async (server) => {
        const head = await server.append(userCreated(1));
        const before = performance.now();
        await server.runner.waitFor([roster], head + 1);
        expect(performance.now() - before).toBeGreaterThanOrEqual(45);
        expect(server.runner.position(roster)).toBe(head);
      },
      { longestWait: 50 },
    ),
  );

  it(
    'refuse writes from outside',
    running(async ({ runner }) => {
      const people = runner.collection(roster, 'people');
      await expect(people.insertOne({ _id: 1 })).rejects.toThrow('written by its projection only');
      await expect(people.deleteMany({})).rejects.toThrow('written by its projection only');
    }),
  );
});

describe('a projection that fails', () => {
  it(
    'keeps its last good documents and names the event, while the others go on',
    running(async (server) => {
      await server.append(userCreated(1, 'good'));
      const position = await server.appendTogether([
        userCreated(2, 'good too'),
        userCreated(3, 'refused'),
        userCreated(4, 'never seen'),
      ]);
      await server.runner.waitFor([roster], position);
      await eventually(() => expect(server.statusOf(delicate).state).toBe('failed'));

      expect(server.statusOf(delicate).error).toMatchObject({
        message: 'this one is refused',
        eventType: 'UserCreated',
        position: position - 1,
      });
      expect(await server.people(delicate)).toMatchObject([{ name: 'good' }, { name: 'good too' }]);
      expect(await server.people(roster)).toHaveLength(4);
      expect(server.runner.ready()).toBe(true);
    }),
  );

  it(
    'is not waited for',
    running(
      async (server) => {
        await server.append(userCreated(1, 'refused'));
        await eventually(() => expect(server.statusOf(delicate).state).toBe('failed'));
        await server.runner.waitFor([delicate], await server.append(userCreated(2)));
        expect(server.statusOf(delicate).upToDate).toBe(false);
      },
      { longestWait: 600_000 },
    ),
  );

  it(
    'releases the readers that already wait for it',
    running(
      async (server) => {
        const waiting = server.runner.waitFor([delicate], 1);
        await server.append(userCreated(1, 'refused'));
        await waiting;
      },
      { longestWait: 600_000 },
    ),
  );

  it('is tried again at the next start', () =>
    withScratch(async (dataDirectory) => {
      const first = await Roster.start({ dataDirectory });
      await first.append(userCreated(1), userCreated(2, 'refused'));
      await eventually(() => expect(first.statusOf(delicate).state).toBe('failed'));
      await first.close();

      const mended = { ...delicate, on: roster.on };
      const second = await Roster.start({ dataDirectory, projections: [roster, applications, mended] });
      await second.caughtUp();
      expect(second.statusOf(delicate)).toMatchObject({ state: 'running', error: null });
      expect(await second.people(delicate)).toHaveLength(2);
      await second.close();
    }));

  it('answers as unavailable if it failed before it had documents', () =>
    withScratch(async (dataDirectory) => {
      const before = await Roster.open({ dataDirectory });
      await before.append(userCreated(1, 'refused'));
      await before.runner.start();
      expect(before.statusOf(delicate)).toMatchObject({ state: 'failed', database: null });
      expect(() => before.runner.collection(delicate, 'people')).toThrow(UnavailableError);
      expect(await before.people(roster)).toHaveLength(1);
      expect(before.runner.ready()).toBe(false);
      await before.close();
    }));
});

describe('an outage of the document store', () => {
  it('interrupts a projection, which afterwards applies every event once', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.open({ dataDirectory });
      const outage = interruptible(server);
      await server.runner.start();
      await server.append(userCreated(1));
      await server.caughtUp();

      outage.begin();
      const position = await server.append(userCreated(2), userDeactivated(1));
      await eventually(() => expect(outage.refusals()).toBeGreaterThan(1));
      await eventually(() => expect(server.runner.ready()).toBe(false));
      expect(server.statusOf(applications).state).toBe('running');
      outage.end();

      await eventually(() => expect(server.runner.position(applications)).toBeGreaterThanOrEqual(position));
      expect(await server.timesApplied()).toEqual([1]);
      expect(await server.people()).toMatchObject([{ active: false }, { active: true }]);
      await eventually(() => expect(server.runner.ready()).toBe(true));
      await server.close();
    }));
});

describe('a projection that fails again and again at one place', () => {
  it('says so and why, is waited for by nobody, and goes on when it can', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.open({ dataDirectory });
      const outage = interruptible(server);
      await server.runner.start();
      await server.append(userCreated(1));
      await server.caughtUp();
      const before = server.runner.position(applications);

      outage.begin();
      const position = await server.append(userCreated(2));
      await eventually(() => expect(server.statusOf(applications).state).toBe('stalled'));
      expect(server.statusOf(applications)).toMatchObject({
        upToDate: false,
        position: before,
        error: { message: 'away', position: before, at: expect.any(Number) },
      });
      expect(outage.refusals()).toBeGreaterThanOrEqual(3);
      expect(server.runner.ready()).toBe(false);
      // Ends at once, and not after the longest wait.
      await server.runner.waitFor([applications], position);
      expect(server.runner.position(applications)).toBe(before);
      outage.end();

      await eventually(() => expect(server.runner.position(applications)).toBeGreaterThanOrEqual(position));
      expect(server.statusOf(applications)).toMatchObject({ state: 'running', error: null });
      await eventually(() => expect(server.runner.ready()).toBe(true));
      await server.close();
    }));
});

/** Makes outages between a server's projections and its documents possible. Call it before the server starts. */
function interruptible(server: Roster): { begin(): void; end(): void; refusals(): number } {
  const { documentStore } = server.engines;
  const open = documentStore.database.bind(documentStore);
  let away = false;
  let refusals = 0;
  documentStore.database = async (name) => {
    const database = await open(name);
    const transaction = database.transaction.bind(database);
    database.transaction = async (work) => {
      if (!away) return transaction(work);
      refusals++;
      throw new DocumentStoreUnavailable('away');
    };
    return database;
  };
  return {
    begin: () => {
      away = true;
    },
    end: () => {
      away = false;
    },
    refusals: () => refusals,
  };
}
