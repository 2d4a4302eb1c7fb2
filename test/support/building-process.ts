// A process that builds documents from the log of a data directory, to be killed.
import { setTimeout as pause } from 'node:timers/promises';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import { projections } from './interrupted-projections.js';

const HOUR_MS = 3_600_000;

const [dataDirectory = '', projectionsModule = '', ...rebuilt] = process.argv.slice(2);
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
