import { Logger } from '@nestjs/common';
import { projections } from '../../../projections/index.js';
import { AnnouncedReadModels } from '../../../projections/runner/announced-read-models.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import type { HealthReport } from '../health/health.js';
import { followersIn } from '../roles/followers-watch.js';
import { inOrganization } from './open-organization.js';
import type { Read } from './status-text.js';

/** Reads what the processes on the engines have stored. Each process tells more at its own address. @throws StartRefused */
export async function readingEngines(settings: EngineSettings, work: (read: Read) => Promise<void>): Promise<void> {
  Logger.overrideLogger(false);
  await inOrganization({ ...settings, readOnly: true }, (engines) => withEngines(engines, work));
}

async function withEngines(
  { eventStore, documentStore, bus }: Engines,
  work: (read: Read) => Promise<void>,
): Promise<void> {
  let logEnd = await eventStore.head();
  const readModels = new AnnouncedReadModels({ documentStore, bus, projections, head: () => logEnd, report: () => {} });
  await readModels.start();
  const now = { reachable: true, answeredMsAgo: 0 };
  try {
    await work(async () => {
      logEnd = await eventStore.head();
      const report: HealthReport = {
        ready: readModels.ready(),
        logEnd,
        engines: { log: now, documents: now },
        projections: readModels.status(),
        damagedFiles: [],
        // Each process has its own.
        process: null,
        ...(await followersIn(documentStore)),
      };
      return { url: null, pid: null, ...report };
    });
  } finally {
    await readModels.close();
  }
}
