import { projections } from '../../../projections/index.js';
import { ProjectionRunner, type SharedRunning } from '../../../projections/runner/projection-runner.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import { threadEntry } from '../../platform/threads/thread-entry.js';

export interface ProjectionParts {
  readonly engines: Pick<Engines, 'eventStore' | 'projectionStore'>;
  /** Settings to open the same engines on a thread. */
  readonly settings: EngineSettings;
  readonly codec: EventCodec;
  /** Longest time that an answer waits until reads show what it changed, milliseconds; default 2000 (D11). */
  readonly longestWait?: number;
}

/** @param shared absent: this process keeps every projection */
export function newProjectionRunner(
  { engines, settings, codec, longestWait }: ProjectionParts,
  shared?: SharedRunning,
): ProjectionRunner {
  return new ProjectionRunner({
    eventStore: engines.eventStore,
    documentStore: engines.projectionStore,
    codec,
    projections,
    ...(longestWait === undefined ? {} : { longestWait }),
    rebuild: { engines: settings, projectionsModule: threadEntry('projections/index.js') },
    ...(shared ? { shared } : {}),
  });
}
