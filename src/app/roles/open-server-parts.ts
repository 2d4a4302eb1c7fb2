import { Logger } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import { PendingDecisions } from '../../directory/pending-decisions.js';
import type { ProcessRole } from '../../platform/cluster/process.documents.js';
import { ProcessRegistry, type ProcessRegistryOptions } from '../../platform/cluster/process-registry.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { prepareDataDirectory } from '../../platform/engines/data-directory.js';
import type { Engines } from '../../platform/engines/engines.js';
import type { openEngines } from '../../platform/engines/open-engines.js';
import type { Closers } from '../../platform/kernel/closers.js';
import type { Position } from '../../platform/kernel/position.js';
import type { Mailer, OnRefused } from '../../platform/mail/mailer.js';
import { OutgoingRequests } from '../../platform/outgoing/outgoing-requests.js';
import { ReachableAddresses } from '../../platform/outgoing/reachable-addresses.js';
import { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { openSigner, signerSettings } from '../../platform/transparency/open-signer.js';
import { type Config, checkpointSettingsOf, engineSettingsOf, signingSettingsOf } from '../config/config.js';
import { openMailer } from '../config/open-mailer.js';
import { openPushSender } from '../config/open-push-sender.js';
import { acceptedKeys } from '../verify/accepted-keys.js';
import { DailyVerification } from '../verify/daily-verification.js';
import { tellDamaged } from './damaged-documents.js';
import { DistributedReadSide } from './distributed-read-side.js';
import { leaveEarlierLineage } from './earlier-lineage.js';
import { EmbeddedReadSide } from './embedded-read-side.js';
import { refuseEmptyLog } from './foreign-keys.js';
import { LogLineage } from './log-lineage.js';
import { checkNewestKeys } from './missing-keys.js';
import { OrganizationIdentity } from './organization-identity.js';
import type { ReadSide } from './read-side.js';
import { checkSignedLog } from './signed-log.js';
import { openSkippingCodec } from './skip-events.js';
import { TreeAtTheEnd } from './tree-at-the-end.js';
import { Worker, type WorkerParts } from './worker.js';

/** The parts of every process that keeps documents or answers clients. */
interface ProcessParts extends WorkerParts {
  readonly organization: OrganizationIdentity;
  readonly logLineage: LogLineage;
  /** Records that an event is passed over. */
  readonly skip: (place: string) => Promise<void>;
}

/** The parts that handlers of commands and queries are made of. */
export type HandlerParts = Pick<
  ServerParts,
  'engines' | 'codec' | 'commandRunner' | 'directory' | 'pendingDecisions' | 'readSide' | 'outgoing' | 'pushSender'
>;

/** The parts of a server, below its features. */
interface ServerParts extends ProcessParts {
  readonly directory: Directory;
  readonly pendingDecisions: PendingDecisions;
  readonly readSide: ReadSide;
}

/**
 * Opens the engines, and removes everything in them that was made from an earlier log.
 * @throws LogRefused, StartRefused: `closers` close the opened parts
 */
export async function openProcessParts(
  config: Config,
  open: typeof openEngines,
  closers: Closers,
  site: () => string,
): Promise<ProcessParts> {
  const settings = engineSettingsOf(config);
  if (settings.distributed) await prepareDataDirectory(config.dataDirectory);
  const { file } = checkpointSettingsOf(config);
  const engines = await open({ ...settings, checkpointsFile: file, onDamaged: tellDamaged, isServing: true });
  closers.own(engines);
  const checkpointFile = new CheckpointFile(file);
  await refuseEmptyLog(engines.eventStore, checkpointFile, settings);
  const { codec, skip } = await openSkippingCodec(engines);
  const commandRunner = new CommandRunner(engines.eventStore, engines.contentKeys, codec, {
    keepsAddresses: config.addressDays > 0,
    keysSince: (await acceptedKeys(engines.eventStore))?.id ?? null,
  });
  const organization = new OrganizationIdentity(engines, settings);
  await organization.check();
  const isShared = settings.distributed !== undefined;
  const logLineage = await openLineage(engines, isShared, closers);
  await checkSignedLog(engines, commandRunner, {
    accepted: config.acceptRestoredLog,
    file: checkpointFile,
    isShared,
    skipped: new Set([...codec.skipped, ...(config.skip ?? [])]),
    onContradicted: () => logLineage.disown(),
  });
  for (const place of config.skip ?? []) await skip(place, commandRunner);
  await checkNewestKeys(engines, commandRunner, { accepted: config.acceptMissingKeys, settings, codec });
  await leaveEarlierLineage(logLineage, engines, commandRunner, isShared);
  logLineage.start();
  await startVerification(config, engines, closers);
  const mailer = (onRefused: OnRefused): Mailer => openMailer(config, engines, onRefused);
  const pushSender = await openPushSender(config);
  if (pushSender) closers.own(pushSender);
  return {
    engines,
    settings,
    codec,
    skip: (place) => skip(place, commandRunner),
    commandRunner,
    openMailer: mailer,
    pushSender,
    outgoing: new OutgoingRequests(new ReachableAddresses(config.outgoingPrivateNetworks)),
    site,
    openSigner: (known) => openSigner(engines.contentKeys, signerSettings(signingSettingsOf(config, site()), known)),
    checkpoints: checkpointSettingsOf(config),
    organization,
    logLineage,
    welcomesPeople: config.welcomeMessages,
    longestWait: config.answerWaitMs,
  };
}

/** Opens the parts without starting them. @throws LogRefused, StartRefused: `closers` close the opened parts */
export async function openServerParts(
  config: Config,
  options: {
    readonly keepsDocuments: boolean;
    readonly open: typeof openEngines;
    readonly closers: Closers;
    readonly site: () => string;
  },
): Promise<ServerParts> {
  const { keepsDocuments, open, closers, site } = options;
  const parts = await openProcessParts(config, open, closers, site);
  const directory = new Directory();
  const pendingDecisions = new PendingDecisions(directory);
  const own = { ...parts, directory, pendingDecisions };
  if (!parts.settings.distributed) return { ...own, readSide: new EmbeddedReadSide(parts) };
  const { engines, longestWait } = parts;
  const position = (): Position => pendingDecisions.position;
  const { registry, worker } = keepsDocuments
    ? await joinAsWorker(parts, 'both', position)
    : { registry: await joinCluster(engines, 'api', { directory: position, onLapse: () => {} }), worker: null };
  closers.own(registry);
  const treeAtTheEnd = closers.own(new TreeAtTheEnd(parts, registry));
  const readSide = new DistributedReadSide({ engines, registry, directory, worker, treeAtTheEnd, longestWait });
  return { ...own, readSide };
}

/** Makes a worker that is yet to be started. Other processes know of it until the registry is closed. */
export async function joinAsWorker(
  parts: WorkerParts,
  role: Exclude<ProcessRole, 'api'>,
  directory: () => Position | null,
): Promise<{ readonly registry: ProcessRegistry; readonly worker: Worker }> {
  let worker: Worker | null = null;
  const registry = await joinCluster(parts.engines, role, {
    directory,
    keeps: () => worker?.canKeep() ?? false,
    onLapse: () => worker?.lapsed(),
  });
  worker = new Worker(parts, registry);
  return { registry, worker };
}

function joinCluster(
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

/** Begins to verify the log once a day, if the settings say so. */
async function startVerification(config: Config, { documentStore }: Engines, closers: Closers): Promise<void> {
  if (config.verifyAt === null) return;
  const verification = await DailyVerification.open(documentStore, {
    at: config.verifyAt,
    settings: engineSettingsOf(config),
    checkpointsFile: checkpointSettingsOf(config).file,
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  });
  closers.own(verification);
  verification.start();
}

async function openLineage(engines: Engines, isShared: boolean, closers: Closers): Promise<LogLineage> {
  const log = new Logger('Log');
  const report = (error: unknown): void => log.warn(`the newest event is not noted, trying again: ${String(error)}`);
  const lineage = await LogLineage.open(engines, { isShared, report });
  closers.own(lineage);
  return lineage;
}
