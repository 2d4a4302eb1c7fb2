import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { rebuildInThread } from '../../../projections/runner/build-work.js';
import { BEFORE_THE_UPGRADE, Roster, userCreated } from '../../support/projections/roster.js';
import { projections } from '../../support/projections/roster-projections.js';
import { withScratch } from '../../support/scratch.js';

/** More than one page of the log. */
const USERS = 12_000;
const MOMENTS = 20;

/** SQLite's binding aborts the process if a thread is ended within one of its calls. No test survives that. */
it('a rebuild ends soon after it is stopped at any moment, and the process goes on', () =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.open({ dataDirectory });
    await server.appendTogether(Array.from({ length: USERS }, (_, index) => userCreated(index + 1)));
    const builds = projections.map(({ name }) => ({ projection: name, database: `${name}.v1.g1` }));
    const request = { engines: { dataDirectory }, projectionsModule: BEFORE_THE_UPGRADE, builds, yields: false };
    for (let moment = 0; moment < MOMENTS; moment++) {
      const asking = new AbortController();
      let askedAt = Number.POSITIVE_INFINITY;
      const underWay = async (): Promise<void> => {
        await pause(moment);
        askedAt = performance.now();
        asking.abort();
      };
      const rebuilt = rebuildInThread(request, () => void underWay(), asking.signal);
      await expect(rebuilt).rejects.toThrow('the rebuild was stopped');
      expect(performance.now() - askedAt).toBeLessThan(60_000);
    }
    await server.close();
  }));
