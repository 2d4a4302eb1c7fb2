import type { CommandName } from './config-setting.js';
import { isEventStoreUrl, problemOfEventStoreUrl } from './engine-urls.js';

/** They share their engines with other processes. */
const ONE_OF_MANY: readonly CommandName[] = ['api', 'projections'];

interface EngineUrls {
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
}

/** The log in one place and its documents in another's file would be two organizations. */
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
