import { Logger } from '@nestjs/common';
import { CommandRunner } from '../command-runner/command-runner.js';
import type { Config } from '../config/config.js';
import { prepareDataDirectory } from '../config/data-directory.js';
import { engineSettingsOf } from '../config/engine-settings.js';
import type { Engines } from '../config/engines.js';
import type { openEngines } from '../config/open-engines.js';
import { openMailer } from '../config/open-mailer.js';
import { Directory } from '../directory/directory.js';
import { EventCodec } from '../event-codec/event-codec.js';
import type { Closers } from '../kernel/closers.js';
import type { ProcessRole } from '../processes/process.documents.js';
import { ProcessRegistry, type ProcessRegistryOptions } from '../processes/process-registry.js';
import { DistributedReadSide } from './distributed-read-side.js';
import { leaveEarlierLog } from './earlier-log.js';
import { EmbeddedReadSide } from './embedded-read-side.js';
import { LogMark } from './log-mark.js';
import { LogWatch } from './log-watch.js';
import { OrganizationIdentity } from './organization-identity.js';
import type { ReadSide } from './read-side.js';
import { Worker } from './worker.js';

/** What a server is made of, below its features. */
export interface ServerParts {
  readonly engines: Engines;
  readonly codec: EventCodec;
  readonly commandRunner: CommandRunner;
  readonly directory: Directory;
  readonly readSide: ReadSide;
  readonly organization: OrganizationIdentity;
  readonly logMark: LogMark;
}

/** Opened, and not yet started. @throws LogRefused, StartRefused: `closers` close what was opened */
export async function openServerParts(
  config: Config,
  options: { readonly keepsDocuments: boolean; readonly open: typeof openEngines; readonly closers: Closers },
): Promise<ServerParts> {
  const { keepsDocuments, open, closers } = options;
  const settings = engineSettingsOf(config);
  if (settings.distributed) await prepareDataDirectory(config.dataDirectory);
  const engines = await open(settings);
  closers.keep(engines);
  const codec = new EventCodec(engines.contentKeys);
  const commandRunner = new CommandRunner(engines.eventStore, engines.contentKeys, codec);
  const directory = new Directory();
  const mailer = openMailer(config);
  const organization = new OrganizationIdentity(engines, settings);
  await organization.check();
  const logMark = await markLog(engines, commandRunner, settings.distributed !== undefined, closers);
  if (!settings.distributed) {
    const readSide = new EmbeddedReadSide(engines, settings, codec, commandRunner, mailer);
    return { engines, codec, commandRunner, directory, readSide, organization, logMark };
  }

  let worker: Worker | null = null;
  const registry = await joinProcesses(engines, keepsDocuments ? 'both' : 'api', {
    directory: () => directory.position,
    keeps: () => worker?.canKeep() ?? false,
    onLapse: () => worker?.lapsed(),
  });
  closers.keep(registry);
  if (keepsDocuments) {
    const logWatch = new LogWatch(engines.eventStore);
    worker = new Worker({ engines, settings, codec, commandRunner, registry, logWatch, mailer });
  }
  const readSide = new DistributedReadSide({ engines, registry, directory, worker });
  return { engines, codec, commandRunner, directory, readSide, organization, logMark };
}

/** Nothing is there any more that goes by an earlier log. @throws StartRefused */
export async function markLog(
  engines: Engines,
  runner: CommandRunner,
  isShared: boolean,
  closers: Closers,
): Promise<LogMark> {
  const log = new Logger('Log');
  const report = (error: unknown): void => log.warn(`the newest event is not noted, trying again: ${String(error)}`);
  const mark = await LogMark.open(engines, { isShared, report });
  closers.keep(mark);
  await leaveEarlierLog(mark, engines, runner, isShared);
  mark.start();
  return mark;
}

/** Lets the other processes know of this one, until it is closed. */
export function joinProcesses(
  { projectionStore }: Engines,
  role: ProcessRole,
  options: Pick<ProcessRegistryOptions, 'directory' | 'keeps' | 'onLapse'>,
): Promise<ProcessRegistry> {
  const log = new Logger('Processes');
  return ProcessRegistry.open({
    documentStore: projectionStore,
    role,
    ...options,
    report: (error) => log.warn(`the other processes cannot be reached, trying again: ${String(error)}`),
  });
}
