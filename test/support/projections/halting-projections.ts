// All read models, for builds that are killed half way. A rebuild thread can load this module.
import { projections as served } from '../../../projections/index.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';

const HOUR_MS = 3_600_000;

/** Variable: position of the event at which no build of the messages goes on. */
export const HALTING_AT = 'HALTING_AT';

const halting = (projection: Projection): Projection => ({
  ...projection,
  on: Object.fromEntries(
    Object.entries(projection.on).map(([type, apply]) => [
      type,
      (event, documents) =>
        event.position < Number(process.env[HALTING_AT])
          ? apply(event, documents)
          : new Promise((resolve) => setTimeout(resolve, HOUR_MS, [])),
    ]),
  ),
});

export const projections: readonly Projection[] = served.map((each) => (each === messages ? halting(each) : each));

export { eventRegistry } from '../../../src/events/event-registry.js';
