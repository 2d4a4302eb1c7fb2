import { isEventStoreUrl, problemOfEventStoreUrl } from '../../platform/engines/engine-urls.js';
import type { CommandName } from './config-setting.js';

/** Commands whose processes share engines with others. */
const ONE_OF_MANY: readonly CommandName[] = ['api', 'projections'];

interface EngineUrls {
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
}

/** Finds settings that would put the log in one place and its documents in another: two organizations. */
export function problemsOfEngines(command: CommandName, { eventStoreUrl, mongodbUrl }: EngineUrls): string[] {
  if (eventStoreUrl === null && mongodbUrl === null) {
    if (!ONE_OF_MANY.includes(command)) return [];
    return [`annals ${command} needs EVENTSTORE_URL and MONGODB_URL; without them, annals start does everything alone`];
  }
  if (eventStoreUrl === null) return ['EVENTSTORE_URL must be set too where MONGODB_URL is: they go together'];
  if (mongodbUrl === null) return ['MONGODB_URL must be set too where EVENTSTORE_URL is: they go together'];
  const problem = isEventStoreUrl(eventStoreUrl) ? problemOfEventStoreUrl(eventStoreUrl) : null;
  return problem === null ? [] : [`EVENTSTORE_URL ${problem}`];
}
