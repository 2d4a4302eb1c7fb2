// A process that builds documents from the log of a data directory, to be killed.
// Arguments: DIRECTORY PROJECTIONS_MODULE [PROJECTION...], with projections to rebuild.
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ProjectionRunner } from '../../../projections/runner/projection-runner.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';

const HOUR_MS = 3_600_000;

const [dataDirectory = '', projectionsModule = '', ...rebuilt] = process.argv.slice(2);
const { projections } = (await import(pathToFileURL(projectionsModule).href)) as {
  readonly projections: readonly Projection[];
};
const { eventStore, documentStore, contentKeys } = await openEngines({ dataDirectory });
const runner = new ProjectionRunner({
  eventStore,
  documentStore,
  codec: new EventCodec(contentKeys, eventRegistry),
  projections,
  rebuild: { engines: { dataDirectory }, projectionsModule },
});
await runner.start();
if (rebuilt.length > 0) void runner.rebuild(rebuilt);
await pause(HOUR_MS);
