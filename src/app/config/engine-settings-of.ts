import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import type { Config } from './config.js';

/** Makes the settings of the engines; distributed if both URLs are given. */
export function engineSettingsOf(
  config: Pick<Config, 'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'streamPrefix'>,
): EngineSettings {
  const { dataDirectory, eventStoreUrl, mongodbUrl, streamPrefix } = config;
  if (eventStoreUrl === null || mongodbUrl === null) return { dataDirectory };
  return { dataDirectory, distributed: { eventStoreUrl, streamPrefix, mongodbUrl } };
}
