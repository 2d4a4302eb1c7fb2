import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { builders } from '../../support/projections/interrupted-projections.js';
import {
  appliedBy,
  built,
  fileOf,
  killedBuilding,
  opened,
  PAGE,
  withLog,
} from '../../support/projections/killed-building.js';
import { AFTER_THE_UPGRADE, roster } from '../../support/projections/roster.js';
import { rosterRaised } from '../../support/projections/roster-projections.js';

Logger.overrideLogger(false);

describe('a build that was killed is begun anew', () => {
  it(
    'if the version of the projection is another one',
    withLog(async (dataDirectory) => {
      await killedBuilding({ dataDirectory, at: PAGE + 1000 });
      const server = await built(dataDirectory, {
        projections: [rosterRaised],
        projectionsModule: AFTER_THE_UPGRADE,
      });
      expect(await server.engines.documentStore.databases()).toEqual(['registry', 'roster.v2.g2']);
      const people = await server.people(rosterRaised);
      expect(people).toHaveLength(3 * PAGE);
      expect(people[0]?.name).toBe('USER 1');
      await server.close();
    }),
  );

  it(
    'if its database cannot be opened, or turns out to be damaged',
    withLog(async (dataDirectory) => {
      await killedBuilding({ dataDirectory, at: PAGE + 1000 });
      for (const end of ['-wal', '-shm']) await rm(fileOf(dataDirectory, 'builders.v1.g1') + end, { force: true });
      await writeFile(fileOf(dataDirectory, 'builders.v1.g1'), 'this is no database');
      await damage(fileOf(dataDirectory, 'roster.v1.g1'), 'User 7');

      const server = await built(dataDirectory);
      expect((await appliedBy(server)).map(([pid]) => pid)).toEqual([process.pid]);
      expect(server.statusOf(builders)).toMatchObject({ state: 'running', error: null });
      expect(server.statusOf(roster)).toMatchObject({ state: 'running', error: null, database: 'roster.v1.g2' });
      expect(await server.people()).toContainEqual(expect.objectContaining({ _id: 7, active: false }));
      expect(await server.timesApplied()).toEqual([1]);
      await server.close();
    }),
  );

  it(
    'if it is asked for anew, and the others are left as they are',
    withLog(async (dataDirectory) => {
      await (await built(dataDirectory)).close();
      const databases = ['roster.v1.g2', 'builders.v1.g2'];
      const rebuilt = ['roster', 'builders'];
      await killedBuilding({ dataDirectory, at: PAGE + 1000, databases, rebuilt });

      const server = await opened(dataDirectory);
      await server.runner.start({ build: false });
      await server.runner.rebuild(['builders']);
      expect((await appliedBy(server)).map(([pid]) => pid)).toEqual([process.pid]);
      const found = await server.engines.documentStore.databases();
      expect(found).toEqual(expect.arrayContaining(['builders.v1.g3', 'roster.v1.g1', 'roster.v1.g2']));
      expect(found).not.toContain('builders.v1.g2');
      await server.close();
    }),
  );
});

/** Overwrites the page of the file that has the text. */
async function damage(path: string, text: string): Promise<void> {
  const connection = new SqliteConnection(path);
  connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  connection.close();
  const file = await readFile(path);
  const pageSize = file.readUInt16BE(16);
  const found = file.indexOf(text);
  expect(found).toBeGreaterThan(0);
  const page = Math.floor(found / pageSize) * pageSize;
  await writeFile(path, file.fill(0xff, page, page + pageSize));
}
