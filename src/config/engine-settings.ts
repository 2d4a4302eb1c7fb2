import type { Config } from './config.js';

/** Where the engines of a process are: plain data, which a thread or another process opens the same engines from. */
export interface EngineSettings {
  /** Of the embedded log, keys and documents; beside other engines, of the files that belong to one process. */
  readonly dataDirectory: string;
  /** EventStoreDB and MongoDB; absent: embedded. */
  readonly distributed?: DistributedSettings;
}

export interface DistributedSettings {
  /** `esdb://…` or `esdb+discover://…` */
  readonly eventStoreUrl: string;
  /** What every stream's name begins with in EventStoreDB: one server can hold several organizations. May be empty. */
  readonly streamPrefix: string;
  /** `mongodb://…` or `mongodb+srv://…`; its path names the database. */
  readonly mongodbUrl: string;
}

/** Distributed where both URLs are given. */
export function engineSettingsOf(
  config: Pick<Config, 'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'streamPrefix'>,
): EngineSettings {
  const { dataDirectory, eventStoreUrl, mongodbUrl, streamPrefix } = config;
  if (eventStoreUrl === null || mongodbUrl === null) return { dataDirectory };
  return { dataDirectory, distributed: { eventStoreUrl, streamPrefix, mongodbUrl } };
}
