import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { BackupMade } from '../backup/backup.documents.js';
import { type BackupAt, checkBackup, manifestAt } from '../backup/check-backup.js';
import { type BackupPlaces, makeBackup } from '../backup/make-backup.js';
import { BackupRefused, type Manifest } from '../backup/manifest.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import { type ReportOutput, WorkReport } from './build-report.js';
import { UsageError } from './failure.js';
import { inOrganization } from './open-organization.js';
import { stopAsked } from './stop-signals.js';
import { counted, number } from './text.js';

/** Shorter work shows no progress. */
const PATIENCE_MS = 1000;

/** What a server, and who audits it, hear of the command. */
interface BackupReports {
  /** Records the command in the log. */
  begun(): Promise<void>;
  /** Tells monitoring of the backup. */
  ended(made: BackupMade): Promise<void>;
}

type Output = Writable & ReportOutput;

/**
 * @throws UsageError, BackupRefused and errors of the engines
 */
export async function runBackup(
  config: Config,
  words: BackupPlaces,
  output: Output,
  reports: BackupReports,
): Promise<void> {
  refuseEngines(config);
  const places = { to: resolve(words.to), keysTo: resolve(words.keysTo) };
  await reports.begun();
  const made = await backUp(config, places, output);
  await reports.ended(made);
  if (made.faults > 0) throw new BackupRefused('the backup was made, and files in it are not right');
}

async function backUp(config: Config, places: BackupPlaces, output: Output): Promise<BackupMade> {
  const { dataDirectory } = config;
  return inOrganization({ ...engineSettingsOf(config), readOnly: true }, async (engines) => {
    const { manifest, events, files } = await reported(output, 'backup', (work) =>
      makeBackup(engines, places, { dataDirectory, ...work }),
    );
    const { log, keys } = manifest;
    output.write(
      `Backed up ${counted(log.newest.position, 'event')} (${number(events)} new), ${counted(keys.count, 'key')} and ` +
        `${counted(manifest.files.count, 'file')} (${number(files.added)} new) to ${places.to}` +
        `${places.keysTo === places.to ? '' : `, the keys to ${places.keysTo}`}.\nThe newest event is of ${log.newest.at}.\n`,
    );
    if (files.gone > 0) output.write(`Not in it: ${counted(files.gone, 'file')} deleted since then.\n`);
    const { signingKeyFile } = config;
    if (signingKeyFile !== null)
      output.write(`Not in it: the signing key in ${signingKeyFile}. Keep a copy of it, too.\n`);
    for (const fault of files.faults) output.write(`${fault}\n`);
    return { at: Date.now(), through: log.newest.position, faults: files.faults.length };
  });
}

/** @throws BackupRefused if a part is missing or changed */
export async function runCheck(words: BackupPlaces, output: Output): Promise<void> {
  const at = { from: resolve(words.to), keysFrom: resolve(words.keysTo) };
  const manifest = await manifestAt(at);
  const total = bytesOf(manifest);
  const startedAt = performance.now();
  let done = 0;
  const faults = await reported(output, 'check', ({ report, goOn }) =>
    checkBackup(at, manifest, {
      checked: (bytes) => {
        done += bytes;
        report('Checking', done, total, done);
      },
      goOn,
    }),
  );
  for (const fault of faults) output.write(`${fault}\n`);
  if (faults.length > 0)
    throw new BackupRefused(`the backup in ${at.from} is not right: ${counted(faults.length, 'part')}`);
  const perSecond = Math.round((total * 1000) / (performance.now() - startedAt));
  output.write(`The backup is right: ${contents(manifest)}; ${number(total)} bytes, ${number(perSecond)} a second.\n`);
}

/** @throws UsageError, BackupRefused and errors of the engines */
export async function runRestore(config: Config, words: BackupAt, output: Output): Promise<void> {
  refuseEngines(config);
  const at = { from: resolve(words.from), keysFrom: resolve(words.keysFrom) };
  const { dataDirectory } = config;
  const manifest = await manifestAt(at);
  const { queues } = await reported(output, 'restore', (work) =>
    restoreBackup(at, manifest, { dataDirectory, ...work }),
  );
  output.write(
    `Restored ${contents(manifest)} into ${dataDirectory}.\nThe newest event is of ${manifest.log.newest.at}. ` +
      `${counted(queues, 'event queue')} ended.\nStart the server. Then annals verify --files compares all of it.\n`,
  );
}

function refuseEngines({ eventStoreUrl }: Config): void {
  if (eventStoreUrl !== null)
    throw new UsageError(
      'EventStoreDB and MongoDB are backed up and restored by their own tools: docs/operations.md tells how',
    );
}

interface Work {
  readonly report: (what: string, done: number, total: number, bytes?: number) => void;
  readonly goOn: () => Promise<void>;
}

/** Shows how far the work is, and ends it between two steps when a signal asks for it. */
async function reported<T>(output: Output, what: string, run: (work: Work) => Promise<T>): Promise<T> {
  const over = new AbortController();
  let isStopped = false;
  void stopAsked(over.signal).then(() => {
    isStopped = true;
  });
  const report = new WorkReport(output, PATIENCE_MS);
  let [phase, startedAt] = ['', performance.now()];
  try {
    return await run({
      report: (name, done, total, bytes) => {
        if (name !== phase) {
          report.end();
          [phase, startedAt] = [name, performance.now()];
        }
        const seconds = (performance.now() - startedAt) / 1000;
        const eventsPerSecond = seconds > 0 ? done / seconds : 0;
        const rate =
          bytes === undefined ? {} : { rate: { unit: 'bytes', perSecond: seconds > 0 ? bytes / seconds : 0 } };
        const secondsLeft = done > 0 ? (seconds * (total - done)) / done : null;
        report.update({ what: name, done, total, eventsPerSecond, secondsLeft, ...rate });
      },
      goOn: async () => {
        await setImmediate();
        if (isStopped) throw new Error(`the ${what} was stopped: run the same command again`);
      },
    });
  } finally {
    report.end();
    over.abort();
  }
}

const bytesOf = ({ log, keys, files }: Manifest): number =>
  log.parts.reduce((sum, { bytes }) => sum + bytes, keys.bytes + files.bytes + files.bytesOfAll);

const contents = ({ log, keys, files }: Manifest): string =>
  `${counted(log.newest.position, 'event')}, ${counted(keys.count, 'key')} and ${counted(files.count, 'file')}`;
