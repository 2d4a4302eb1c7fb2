import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SharedRunning } from '../../../projections/runner/projection-runner.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { eventually } from '../../support/eventually.js';
import { Roster, roster, userCreated } from '../../support/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

const KEPT_FOR = 60_000;
const SWITCHED_AT = 1_000_000;

/** A process among others, with the lease of this number. */
const holder = (token: number): SharedRunning => ({
  fenceOf: () => new Fence(token),
  keepReplacedFor: KEPT_FOR,
  onFenced: () => {},
  onChanged: () => {},
});

const databases = async ({ engines }: Roster): Promise<string[]> =>
  (await engines.documentStore.databases()).filter((name) => name.startsWith('roster')).sort();

/** Nothing is left of what was deleted up to where the documents are. */
const isRid = ({ runner }: Roster): Promise<boolean> => runner.areRidOf(runner.position(roster), [roster], 0);

describe('documents that have been replaced', () => {
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
    'are removed by whoever takes over, at once where nobody can be reading them any more',
    replaced(async (dataDirectory) => {
      const next = await Roster.start({ dataDirectory, shared: holder(2), now: () => SWITCHED_AT + KEPT_FOR });
      expect(await databases(next)).toEqual(['roster.v1.g2']);
      expect(await isRid(next)).toBe(true);
      await next.close();
    }),
  );

  it(
    'are kept for whoever reads them, also by who takes over before',
    replaced(async (dataDirectory) => {
      const next = await Roster.start({ dataDirectory, shared: holder(2), now: () => SWITCHED_AT + KEPT_FOR - 100 });
      expect(await databases(next)).toEqual(['roster.v1.g1', 'roster.v1.g2']);
      expect(await isRid(next)).toBe(false);
      await eventually(async () => expect(await isRid(next)).toBe(true));
      expect(await databases(next)).toEqual(['roster.v1.g2']);
      await next.close();
    }),
  );

  it('are tried to remove again where they could not be noted as removed', () =>
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
      await eventually(async () => expect(await isRid(server)).toBe(true), 20_000);
      await server.close();
    }));
});
