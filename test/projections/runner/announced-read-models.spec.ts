import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AnnouncedReadModels } from '../../../projections/runner/announced-read-models.js';
import { REGISTRY_DATABASE } from '../../../projections/runner/registry.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { eventually } from '../../support/eventually.js';
import { Roster, roster, userCreated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

/** Read models beside a server, as another process has them: its bus tells them nothing. */
async function besideServer(
  work: (server: Roster, readModels: AnnouncedReadModels, engines: Engines) => Promise<void>,
  options: { readonly head: Position; readonly freshFor?: number },
): Promise<void> {
  await withScratch(async (dataDirectory) => {
    const server = await Roster.start({ dataDirectory });
    await server.append(userCreated(1));
    await server.caughtUp();
    const engines = await openEngines({ dataDirectory, readOnly: true });
    const readModels = new AnnouncedReadModels({
      documentStore: engines.documentStore,
      bus: engines.bus,
      projections: [roster],
      head: () => options.head,
      report: () => {},
      refreshEvery: 5,
      longestWait: 60_000,
      ...(options.freshFor !== undefined && { freshFor: options.freshFor }),
    });
    try {
      await readModels.start();
      await work(server, readModels, engines);
    } finally {
      await readModels.close();
      await engines.close();
      await server.close();
    }
  });
}

describe('read models whose documents another process keeps', () => {
  it('reach an event that is newer than the head which this process knows', () =>
    besideServer(
      async (server, readModels) => {
        expect(readModels.position(roster)).toBeGreaterThanOrEqual(1);
        const position = await server.append(userCreated(2));
        await server.caughtUp();
        await readModels.waitFor([roster], position);
        expect(readModels.position(roster)).toBe(position);
      },
      { head: 1 },
    ));

  it('tell the error with which the registry was last read', () =>
    besideServer(
      async (_server, readModels, { documentStore }) => {
        expect(readModels.failure()).toBeUndefined();
        // Closes the registry under its readers.
        await documentStore.dropDatabase(REGISTRY_DATABASE);
        const failure = await eventually(() => {
          expect(readModels.failure()).toBeInstanceOf(Error);
          return readModels.failure();
        });
        const read = (): Promise<unknown> => readModels.collection(roster, 'people').findOne({ _id: 1 });
        await eventually(async () => {
          const refused = await read().catch((error: unknown) => error);
          expect(refused).toBeInstanceOf(UnavailableError);
          expect(refused).toMatchObject({ cause: { message: (failure as Error).message } });
        });
      },
      { head: 1, freshFor: 20 },
    ));
});
