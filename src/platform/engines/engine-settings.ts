/** Addresses of a process's engines, as plain data: a thread or another process opens the same engines from them. */
export interface EngineSettings {
  /** Directory of the embedded log, keys and documents; beside other engines, of the files of one process. */
  readonly dataDirectory: string;
  /** EventStoreDB and MongoDB; absent: embedded. */
  readonly distributed?: DistributedSettings;
}

export interface DistributedSettings {
  /** `esdb://…` or `esdb+discover://…` */
  readonly eventStoreUrl: string;
  /** Prefix of every stream's name in EventStoreDB: one server can hold several organizations. May be empty. */
  readonly streamPrefix: string;
  /** `mongodb://…` or `mongodb+srv://…`; its path names the database. */
  readonly mongodbUrl: string;
}
