import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  appliedBy,
  built,
  FIRST,
  killedBuilding,
  opened,
  PAGE,
  withLog,
} from '../../support/projections/killed-building.js';
import { applications, roster } from '../../support/projections/roster.js';

Logger.overrideLogger(false);

const REBUILT = ['roster.v1.g2', 'builders.v1.g2'];

describe('a build whose process is killed', () => {
  it(
    'goes on where it was at the next start, however often',
    withLog(async (dataDirectory) => {
      const first = await killedBuilding({ dataDirectory, at: PAGE + 1000 });
      const second = await killedBuilding({ dataDirectory, at: 2 * PAGE + 1000 });
      const server = await built(dataDirectory);
      expect(server.runner.status().map(({ database }) => database)).toEqual(FIRST);
      const runs = await appliedBy(server);
      expect(runs.map(([pid]) => pid)).toEqual([first, second, process.pid]);
      expect(runs[0]?.[1]).toBeGreaterThanOrEqual(PAGE);
      expect(runs[1]?.[1]).toBeGreaterThanOrEqual(PAGE - 1000);
      expect(await server.timesApplied()).toEqual([1]);

      const people = await server.people();
      await server.runner.rebuild(['roster']);
      expect(server.statusOf(roster).database).toBe('roster.v1.g2');
      expect(people).toEqual(await server.people());
      await server.close();
    }),
  );

  it(
    'goes on if it was asked for, and the live documents are served meanwhile',
    withLog(async (dataDirectory) => {
      await (await built(dataDirectory)).close();
      const rebuilt = ['roster', 'builders'];
      const killed = await killedBuilding({ dataDirectory, at: PAGE + 1000, databases: REBUILT, rebuilt });

      const server = await opened(dataDirectory);
      await server.runner.start();
      expect(server.statusOf(roster)).toMatchObject({ state: 'rebuilding', database: 'roster.v1.g1' });
      expect(await server.people()).toHaveLength(3 * PAGE);
      await server.runner.settled();
      expect(server.statusOf(roster)).toMatchObject({ state: 'running', database: 'roster.v1.g2' });
      expect(server.statusOf(applications).database).toBe('applications.v1.g1');
      expect((await appliedBy(server)).map(([pid]) => pid)).toEqual([killed, process.pid]);
      expect(await server.people()).toHaveLength(3 * PAGE);
      const found = await server.engines.documentStore.databases();
      expect(found.filter((name) => name !== 'registry').sort()).toEqual(['applications.v1.g1', ...REBUILT].sort());
      await server.close();
    }),
  );
});
