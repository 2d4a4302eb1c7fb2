import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../../support/eventually.js';
import { Roster, roster, userCreated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

const HOUR_MS = 3_600_000;

/** A runner behind whose batches events gather for an hour. */
const withRoster = (work: (server: Roster) => Promise<void>): Promise<void> =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.start({ dataDirectory, gatherFor: HOUR_MS, longestWait: HOUR_MS });
    try {
      const first = await server.append(userCreated(1));
      await eventually(async () => expect(server.runner.position(roster)).toBe(first));
      await work(server);
    } finally {
      await server.close();
    }
  });

it('events gather behind a batch, and are applied together as soon as somebody waits', () =>
  withRoster(async (server) => {
    const applied: number[] = [];
    server.runner.onApplied(roster, (position) => applied.push(position));
    for (let userId = 2; userId < 10; userId++) await server.append(userCreated(userId));
    expect(applied).toEqual([]);
    await server.caughtUp();
    expect(applied).toEqual([await server.engines.eventStore.head()]);
    expect(await server.people()).toHaveLength(9);
  }));

it('who reads what was answered ahead does not wait for others to gather', () =>
  withRoster(async (server) => {
    const position = await server.append(userCreated(2));
    await server.runner.acknowledge([roster], position);
    expect(await server.people()).toHaveLength(2);
  }));

it('a stop does not wait for them either', () =>
  withRoster(async (server) => {
    await server.append(userCreated(2));
  }));
