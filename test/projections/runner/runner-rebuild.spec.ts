import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { type BuildProgress, RebuildFailed, RebuildInProgress } from '../../../projections/runner/rebuild-protocol.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { eventually } from '../../support/eventually.js';
import {
  AFTER_THE_UPGRADE,
  applications,
  delicate,
  keyIssued,
  Roster,
  roster,
  userCreated,
  userDeactivated,
} from '../../support/projections/roster.js';
import { rosterRaised } from '../../support/projections/roster-projections.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

/** More events than a start builds from on the serving thread. */
const MANY = Array.from({ length: 700 }, (_, index) => userCreated(index + 1));

const running = (work: (server: Roster) => Promise<void>) => () =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.start({ dataDirectory });
    try {
      await work(server);
    } finally {
      await server.close();
    }
  });

/** The databases of documents, without the registry. */
const databases = async ({ engines }: Roster): Promise<string[]> =>
  (await engines.documentStore.databases()).filter((name) => name !== 'registry').sort();

describe('a rebuild', () => {
  it(
    'replaces the documents with the same documents, and removes the old ones',
    running(async (server) => {
      await server.append(userCreated(1, 'Ada'), userCreated(2), userDeactivated(2), keyIssued(1));
      await server.caughtUp();
      const before = await server.people();
      await server.runner.rebuild();
      expect(await server.people()).toEqual(before);
      expect(await server.timesApplied()).toEqual([1]);
      expect(await databases(server)).toEqual(['applications.v1.g2', 'delicate.v1.g2', 'roster.v1.g2']);
      expect(server.statusOf(roster)).toMatchObject({ state: 'running', database: 'roster.v1.g2', upToDate: true });
    }),
  );

  it(
    'rebuilds the named projections only',
    running(async (server) => {
      await server.append(userCreated(1));
      await server.runner.rebuild(['roster']);
      expect(await databases(server)).toEqual(['applications.v1.g1', 'delicate.v1.g1', 'roster.v1.g2']);
      await expect(server.runner.rebuild(['nothing'])).rejects.toThrow('there is no projection nothing');
    }),
  );

  it(
    'can be repeated, and applies the events that are appended afterwards',
    running(async (server) => {
      await server.append(userCreated(1));
      await server.runner.rebuild();
      await server.append(userCreated(2));
      await server.runner.rebuild();
      await server.append(userCreated(3));
      await server.caughtUp();
      expect(await server.people()).toHaveLength(3);
      expect(await server.timesApplied()).toEqual([1]);
      expect(server.statusOf(roster).database).toBe('roster.v1.g3');
    }),
  );

  it(
    'reports its progress',
    running(async (server) => {
      await server.appendTogether(MANY);
      const told: BuildProgress[] = [];
      await server.runner.rebuild(['roster'], (progress) => told.push(progress));
      expect(told.length).toBeGreaterThan(0);
      expect(told.at(-1)).toMatchObject({
        projections: ['roster'],
        done: 700,
        total: 700,
        secondsLeft: null,
        stall: null,
      });
      expect(told.at(-1)?.eventsPerSecond).toBeGreaterThan(0);
      expect(server.statusOf(roster).progress).toBeNull();
    }),
  );

  it(
    'is refused while one of its projections is being rebuilt, and the first rebuild goes on',
    running(async (server) => {
      await server.append(userCreated(1));
      const first = server.runner.rebuild(['roster']);
      expect(server.runner.ready()).toBe(true);
      await expect(server.runner.rebuild()).rejects.toThrow(RebuildInProgress);
      await first;
      expect(server.statusOf(applications).database).toBe('applications.v1.g1');
    }),
  );

  it(
    'keeps the old documents live and up to date until the switch, and no read goes back in time',
    running(async (server) => {
      await server.appendTogether(MANY);
      await server.caughtUp();
      const rebuilt = server.runner.rebuild();
      let done = false;
      void rebuilt.finally(() => {
        done = true;
      });
      let users = MANY.length;
      let position = server.runner.position(roster);
      let during = 0;
      while (!done) {
        await server.runner.waitFor([roster], await server.append(userCreated(++users)));
        expect(await server.people()).toHaveLength(users);
        expect(server.runner.position(roster)).toBeGreaterThan(position);
        position = server.runner.position(roster);
        if (server.statusOf(roster).state === 'rebuilding') during++;
      }
      await rebuilt;
      expect(during).toBeGreaterThan(0);
      await server.caughtUp();
      expect(await server.people()).toHaveLength(users);
      expect(await server.timesApplied()).toEqual([1]);
    }),
  );

  it('builds the same documents as following the log, for any history', () => {
    const user = fc.integer({ min: 1, max: 8 });
    const event = fc.oneof(
      user.map((id): DomainEvent => userCreated(id, `User ${id}`)),
      user.map((id): DomainEvent => userDeactivated(id)),
      user.map((id): DomainEvent => keyIssued(id)),
    );
    return fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), (events) =>
        withScratch(async (dataDirectory) => {
          const server = await Roster.start({ dataDirectory });
          await server.append(...events);
          await server.caughtUp();
          const live = await server.people();
          await server.runner.rebuild();
          expect(await server.people()).toEqual(live);
          await server.close();
        }),
      ),
      { numRuns: 6 },
    );
  });

  it(
    'that fails for one projection keeps its live documents, and switches the others',
    running(async (server) => {
      await server.append(userCreated(1), userCreated(2, 'refused while rebuilding'));
      await server.caughtUp();
      const failure = await server.runner.rebuild().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RebuildFailed);
      expect(String(failure)).toContain('delicate was not rebuilt: not while rebuilding (UserCreated at position 2)');
      expect(await databases(server)).toEqual(['applications.v1.g2', 'delicate.v1.g1', 'roster.v1.g2']);
      await server.append(userCreated(3));
      await server.caughtUp();
      expect(await server.people(delicate)).toHaveLength(3);
      const buildError = { message: 'not while rebuilding', position: 2, eventType: 'UserCreated' };
      expect(server.statusOf(delicate)).toMatchObject({ state: 'running', error: null, buildError, upToDate: true });
      expect(server.statusOf(roster)).toMatchObject({ state: 'running', buildError: null });
    }),
  );

  it(
    'whose thread exits changes nothing and can be repeated',
    running(async (server) => {
      await server.append(userCreated(1, 'deadly'));
      await server.caughtUp();
      await expect(server.runner.rebuild()).rejects.toThrow('exit code 3');
      expect(await databases(server)).toEqual(['applications.v1.g1', 'delicate.v1.g1', 'roster.v1.g1']);
      expect(server.runner.ready()).toBe(true);
      await server.runner.rebuild(['roster']);
      expect(server.statusOf(roster).database).toBe('roster.v1.g3');
      expect(await server.people(delicate)).toHaveLength(1);
    }),
  );

  it('sets a failed projection running again', () =>
    withScratch(async (dataDirectory) => {
      let patience = 0;
      const moody = {
        ...roster,
        on: {
          ...roster.on,
          UserCreated: (...[event, documents]: Parameters<NonNullable<(typeof roster.on)[string]>>) => {
            if (patience-- > 0) throw new Error('not today');
            return roster.on.UserCreated?.(event, documents) ?? [];
          },
        },
      };
      const server = await Roster.start({ dataDirectory, projections: [moody] });
      patience = 2;
      await server.append(userCreated(1));
      await eventually(() => expect(server.statusOf(roster).state).toBe('failed'));
      await server.runner.rebuild();
      expect(server.statusOf(roster)).toMatchObject({ state: 'running', error: null, upToDate: true });
      expect(await server.people()).toHaveLength(1);
      await server.close();
    }));

  it('that was stopped goes on at the next start, and the live documents are served', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory });
      await server.append(userCreated(1), userCreated(2, 'endless'));
      await server.caughtUp();
      const rebuild = server.runner.rebuild();
      const ended = expect(rebuild).rejects.toThrow('the rebuild was stopped');
      await eventually(async () => expect(await databases(server)).toContain('roster.v1.g2'));
      await server.close();
      await ended;

      const again = await Roster.start({ dataDirectory });
      expect(again.statusOf(roster)).toMatchObject({ state: 'rebuilding', database: 'roster.v1.g1' });
      expect(await databases(again)).toContain('roster.v1.g2');
      expect(await databases(again)).not.toContain('roster.v1.g3');
      expect(await again.people()).toHaveLength(2);
      await again.close();
    }));
});

describe('missing documents', () => {
  it('are built from the log by a thread at start, and reads are unavailable until then', () =>
    withScratch(async (dataDirectory) => {
      const first = await Roster.start({ dataDirectory });
      await first.appendTogether(MANY);
      await first.caughtUp();
      await first.close();
      await rm(join(dataDirectory, 'documents'), { recursive: true });

      const again = await Roster.start({ dataDirectory });
      expect(again.runner.ready()).toBe(false);
      expect(again.statusOf(roster)).toMatchObject({ state: 'rebuilding', database: null });
      expect(() => again.runner.collection(roster, 'people')).toThrow(UnavailableError);
      await again.runner.waitFor([roster], await again.append(userCreated(701)));
      await again.runner.settled();
      await eventually(() => expect(again.runner.ready()).toBe(true));
      await again.caughtUp();
      expect(await again.people()).toHaveLength(701);
      expect(await again.timesApplied()).toEqual([1]);
      await again.close();
    }));

  it('are built for one projection, while the others keep theirs', () =>
    withScratch(async (dataDirectory) => {
      const first = await Roster.start({ dataDirectory });
      await first.append(userCreated(1));
      await first.caughtUp();
      const { database } = first.statusOf(roster);
      await first.engines.documentStore.dropDatabase(database ?? '');
      await first.runner.close().catch(() => {});
      await first.engines.close();

      const again = await Roster.start({ dataDirectory });
      expect(await databases(again)).toEqual(['applications.v1.g1', 'delicate.v1.g1', 'roster.v1.g2']);
      expect(await again.people()).toHaveLength(1);
      expect(await again.timesApplied()).toEqual([1]);
      await again.close();
    }));

  it('stay missing until a rebuild if the start is told not to build', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.open({ dataDirectory });
      await server.append(userCreated(1));
      await server.runner.start({ build: false });
      expect(server.runner.ready()).toBe(false);
      await server.runner.rebuild();
      expect(await server.people()).toHaveLength(1);
      await server.close();
    }));
});

describe('damaged documents', () => {
  const afterDamage = (file: (server: Roster) => string, damage: (path: string) => Promise<void>) =>
    withScratch(async (dataDirectory) => {
      const first = await Roster.start({ dataDirectory });
      await first.appendTogether(MANY);
      await first.caughtUp();
      const path = join(dataDirectory, 'documents', `${file(first)}.sqlite`);
      await first.close();
      await damage(path);

      const again = await Roster.start({ dataDirectory });
      await eventually(async () => expect(await again.people()).toHaveLength(MANY.length));
      await eventually(() => expect(again.runner.ready()).toBe(true));
      expect(await again.timesApplied()).toEqual([1]);
      expect(again.statusOf(roster)).toMatchObject({ state: 'running', error: null });
      await again.close();
    });

  const rosterDatabase = (server: Roster): string => server.statusOf(roster).database ?? '';

  it('are rebuilt if their database cannot be opened', () =>
    afterDamage(rosterDatabase, (path) => writeFile(path, 'this is no database')));

  it('are rebuilt if a query finds the damage', () =>
    afterDamage(rosterDatabase, async (path) => {
      const connection = new SqliteConnection(path);
      connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
      connection.close();
      const file = await readFile(path);
      const pageSize = file.readUInt16BE(16);
      const documents = file.indexOf('User 350');
      expect(documents).toBeGreaterThan(0);
      const page = Math.floor(documents / pageSize) * pageSize;
      await writeFile(path, file.fill(0xff, page, page + pageSize));
    }));

  it('are rebuilt if the registry cannot be opened', () =>
    afterDamage(
      () => 'registry',
      (path) => writeFile(path, 'this is no database'),
    ));
});

describe('a raised version', () => {
  it('is built by a thread, and the documents of the old version are removed only afterwards', () =>
    withScratch(async (dataDirectory) => {
      const before = await Roster.start({ dataDirectory });
      await before.appendTogether(MANY);
      await before.caughtUp();
      await before.close();

      const upgraded = { projections: [rosterRaised, applications, delicate], projectionsModule: AFTER_THE_UPGRADE };
      const after = await Roster.start({ dataDirectory, ...upgraded });
      expect(after.runner.ready()).toBe(false);
      expect(await databases(after)).toContain('roster.v1.g1');
      expect(() => after.runner.collection(rosterRaised, 'people')).toThrow(UnavailableError);
      await after.runner.settled();
      await eventually(() => expect(after.runner.ready()).toBe(true));
      expect(await after.people()).toContainEqual(expect.objectContaining({ _id: 7, name: 'USER 7' }));
      expect(await databases(after)).toEqual(['applications.v1.g1', 'delicate.v1.g1', 'roster.v2.g2']);
      await after.close();

      const again = await Roster.start({ dataDirectory, ...upgraded });
      expect(again.statusOf(roster)).toMatchObject({ state: 'running', database: 'roster.v2.g2', version: 2 });
      await again.close();
    }));

  it('that could not be built leaves the old documents to an older program', () =>
    withScratch(async (dataDirectory) => {
      const before = await Roster.start({ dataDirectory });
      await before.append(userCreated(1));
      await before.caughtUp();
      await before.close();

      const broken = { ...rosterRaised, on: { UserCreated: () => Promise.reject(new Error('a bug')) } };
      const after = await Roster.start({ dataDirectory, projections: [broken] });
      expect(after.statusOf(roster)).toMatchObject({ state: 'failed', error: { message: 'a bug' } });
      expect(after.runner.ready()).toBe(false);
      await after.close();

      const back = await Roster.start({ dataDirectory });
      expect(back.statusOf(roster)).toMatchObject({ state: 'running', database: 'roster.v1.g1' });
      expect(await back.people()).toHaveLength(1);
      await back.close();
    }));
});
