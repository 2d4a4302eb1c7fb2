import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import { START } from '../../platform/kernel/position.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import type { EventStore } from '../../platform/log/event-store.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { namesIn } from './foreign-keys.js';

/** Refuses a log without events beside a file of checkpoints: the log that was signed is missing. @throws StartRefused */
export async function refuseEmptyLog(
  eventStore: EventStore,
  file: CheckpointFile,
  settings: EngineSettings,
): Promise<void> {
  if ((await eventStore.head()) > START || (await file.newest([])).length === 0) return;
  const { log } = namesIn(settings);
  throw new StartRefused(
    `${log} is empty, and ${file.path} has checkpoints of a log with events: restore ${log} from its backup. ` +
      'To begin a new organization instead, move that file away first (docs/operations.md)',
  );
}
