import type { Engines } from '../../servers/engines.js';
import type { Result } from '../result.js';
import { readBare } from './bare-log.js';
import type { EngineBench } from './bench.js';

/** Measures a rebuild of everything, beside the engine's own client that only reads the same log. */
export async function measureEngineRebuild({ engines, fleet, effort, say }: EngineBench): Promise<Result> {
  await fleet.apis(1);
  await fleet.settled();
  const events = await countEvents(engines);
  say(`annals rebuild, ${events.toLocaleString('en-US')} events`);
  const startedAt = performance.now();
  await fleet.rebuild();
  const seconds = (performance.now() - startedAt) / 1000;
  const rebuilt = events / seconds;

  say(`reading up to ${effort.readEvents.toLocaleString('en-US')} events with the bare client`);
  const bare = await readBare(engines, effort.readEvents);
  return {
    rows: [
      { what: 'bare client: read of the whole log', value: bare.perSecond, unit: 'events/s' },
      {
        what: `annals rebuild of all projections, ${events.toLocaleString('en-US')} events`,
        value: rebuilt,
        unit: 'events/s',
        note: `${seconds.toFixed(1)} s; ${((100 * rebuilt) / bare.perSecond).toFixed(0)} % of the bare read`,
      },
    ],
    targets: [],
  };
}

/** Counts Annals' own events. */
async function countEvents({ eventStore, streamPrefix }: Engines) {
  let events = 0;
  for await (const { event } of eventStore.readAll()) if (event?.streamId.startsWith(streamPrefix)) events++;
  return events;
}
