import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SharedRunning } from '../../../projections/runner/projection-runner.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { eventually } from '../../support/eventually.js';
import { Roster, roster, userCreated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

const KEPT_FOR = 60_000;
const SWITCHED_AT = 1_000_000;

/** One of several processes, which holds the lease with this fencing token. */
const holder = (token: number): SharedRunning => ({
  fenceOf: () => new Fence(token),
  keepReplacedFor: KEPT_FOR,
  onFenced: () => {},
  onChanged: () => {},
});

const databases = async ({ engines }: Roster): Promise<string[]> =>
  (await engines.documentStore.databases()).filter((name) => name.startsWith('roster')).sort();

/** Whether no database holds content that was deleted up to the position of the documents. */
const isRid = ({ runner }: Roster): Promise<boolean> => runner.areRidOf(runner.position(roster), [roster], 0);

describe('replaced documents', () => {
  const replaced = (then: (dataDirectory: string) => Promise<void>) => () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, shared: holder(1), now: () => SWITCHED_AT });
      await server.append(userCreated(1));
      await server.caughtUp();
      expect(await isRid(server)).toBe(true);
      await server.runner.rebuild(['roster']);
      expect(await databases(server)).toEqual(['roster.v1.g1', 'roster.v1.g2']);
      expect(await isRid(server)).toBe(false);
      await server.close();
      await then(dataDirectory);
    });

  it(
    'are removed at once by the process that takes over if no reader can have them open any more',
    replaced(async (dataDirectory) => {
      const next = await Roster.start({ dataDirectory, shared: holder(2), now: () => SWITCHED_AT + KEPT_FOR });
      expect(await databases(next)).toEqual(['roster.v1.g2']);
      expect(await isRid(next)).toBe(true);
      await next.close();
    }),
  );

  it(
    'are kept for their readers for a while, also by the process that takes over',
    replaced(async (dataDirectory) => {
      const next = await Roster.start({ dataDirectory, shared: holder(2), now: () => SWITCHED_AT + KEPT_FOR - 100 });
      expect(await databases(next)).toEqual(['roster.v1.g1', 'roster.v1.g2']);
      expect(await isRid(next)).toBe(false);
      await eventually(async () => expect(await isRid(next)).toBe(true));
      expect(await databases(next)).toEqual(['roster.v1.g2']);
      await next.close();
    }),
  );

  it('are removed again if their removal could not be recorded', () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, shared: { ...holder(1), keepReplacedFor: 200 } });
      await server.append(userCreated(1));
      await server.runner.rebuild(['roster']);
      const registry = new SqliteConnection(`${dataDirectory}/documents/registry.sqlite`);
      registry.prepare('BEGIN IMMEDIATE').run();
      await eventually(async () => expect(await databases(server)).toEqual(['roster.v1.g2']));
      expect(await isRid(server)).toBe(false);
      registry.prepare('ROLLBACK').run();
      registry.close();
      await eventually(async () => expect(await isRid(server)).toBe(true));
      await server.close();
    }));
});
