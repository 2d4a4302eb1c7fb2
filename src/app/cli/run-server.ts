import { resolve } from 'node:path';
import type { Directory } from '../../directory/directory.js';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { ACCESS_SETTINGS, type AccessSettings } from '../../features/accesses/accesses.settings.js';
import { type OperatorAct, recordOperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import { apiKeyHash } from '../../features/users/commands/api-keys.handlers.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { AccessKeys } from '../../platform/commands/month-keys.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../platform/documents/document-store.js';
import { HEALTH } from '../../platform/kernel/health-source.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import { foldCase } from '../../platform/kernel/text.js';
import { EVENT_STORE, type EventStore } from '../../platform/log/event-store.js';
import { rememberBackup } from '../backup/backup.documents.js';
import type { OwnPassword } from '../bootstrap.js';
import type { Config } from '../config/config.js';
import { mailSaying } from '../config/open-mailer.js';
import { type Credentials, readCredentials } from '../config/owner-credentials.js';
import type { Health } from '../health/health.js';
import { carryOut } from '../operations/operations.js';
import { refusedForUnreadable } from '../roles/skipped-events.js';
import { type RunningServer, startServer } from '../server.js';
import { BuildReport } from './build-report.js';
import { serverStatus } from './control-client.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { complain } from './failure.js';
import { openUnlessServed } from './open-organization.js';
import { ReadyWatch } from './ready-watch.js';
import type { Printing } from './shell.js';
import { endWithin, startUnlessStopped, stopAsked, stoppedOrLost } from './stop-signals.js';

/** Milliseconds of work that are not worth a line. */
const PATIENCE_MS = 1000;

/** Milliseconds to wait for another server's word on where it listens. */
const STATUS_WAIT_MS = 10_000;

/**
 * Serves until it is told to stop.
 * @param options.keepsDocuments false: other processes keep the documents
 */
export async function runServer(config: Config, printing: Printing, { keepsDocuments = true } = {}): Promise<void> {
  const stopped = stopAsked();
  const watch = new ReadyWatch(new BuildReport(printing.output, PATIENCE_MS));
  let server: RunningServer;
  try {
    server = await startUnlessStopped(stopped, () =>
      startServer(config, {
        keepsDocuments,
        showsPassword: printing.output.isTTY === true,
        open: openUnlessServed,
        onBuilding: (readSide) => watch.showBuilds(readSide),
        beforeAnswers: (started) => openControl(config, started),
      }),
    );
  } catch (error) {
    watch.end();
    if (error instanceof Error && ['debug', 'trace'].includes(config.logLevel))
      complain(printing.errors, String(error.stack));
    throw (await refusedIfServed(config, error)) ?? error;
  }
  void stopped.then(() => endWithin());
  try {
    await serve(config, server, { watch, stopped, printing });
  } finally {
    endWithin();
    watch.end();
    await server.close();
  }
}

/** Says so if the port is taken by the server that runs on the same data directory; else null. */
async function refusedIfServed({ dataDirectory, port }: Config, error: unknown): Promise<StartRefused | null> {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return null;
  // A server that cannot tell, or not to this user, is another program to whoever starts this one.
  const server = await serverStatus(dataDirectory, STATUS_WAIT_MS).catch(() => null);
  if (server === null || Number(new URL(server.url).port) !== port) return null;
  const { url, pid } = server;
  return new StartRefused(`this server runs already: process ${pid} serves ${dataDirectory} at ${url}`);
}

interface Serving {
  readonly watch: ReadyWatch;
  readonly stopped: Promise<unknown>;
  readonly printing: Printing;
}

async function serve(
  config: Config,
  server: RunningServer,
  { watch, stopped, printing: { output, errors } }: Serving,
): Promise<void> {
  const stopping = new AbortController();
  void stopped.then(() => stopping.abort());
  const { readSide } = server;
  if (!(await whenReady(server, watch, stopping.signal)))
    complain(errors, 'the documents are not there yet: requests that need them are answered with 503');
  for (const { name, state, error, database } of readSide.status()) {
    if (!error) continue;
    // Nothing could be answered until a restart.
    if (error.unreadable !== undefined && database === null)
      throw refusedForUnreadable(error.message, error.unreadable);
    complain(errors, `projection ${name} ${state === 'failed' ? 'has failed' : 'makes no headway'}: ${error.message}`);
  }
  if (!stopping.signal.aborted) output.write(await greeting(server));
  if (!readSide.isShared) output.write(`${mailSaying(config)}\n`);

  await stoppedOrLost(stopped, server.lost);
  output.write('Stopping: answering what has been accepted …\n');
}

/** Lets commands of this user reach the server; null: they reach processes on shared engines through the engines. */
async function openControl({ dataDirectory }: Config, server: RunningServer): Promise<ControlServer | null> {
  const { readSide } = server;
  if (readSide.isShared) return null;
  return startControlServer(dataDirectory, {
    status: () => ({ url: server.url, pid: process.pid }),
    health: () => JSON.stringify({ url: server.url, pid: process.pid, ...server.app.get<Health>(HEALTH).report() }),
    rebuild: async ({ projections, skip = [] }, onProgress) => {
      for (const place of skip) await server.skip(place);
      await readSide.rebuild(projections ?? undefined, onProgress);
    },
    operate: (asked) => carryOut(server.app, asked),
    rememberBackup: (made) => rememberBackup(server.app.get<DocumentStore>(DOCUMENT_STORE), made),
    record: (act) => record(server, act),
  });
}

async function record({ app }: RunningServer, act: OperatorAct): Promise<boolean> {
  if (!app.get<AccessSettings>(ACCESS_SETTINGS).areRecorded) return false;
  await recordOperatorAct(app.get(CommandRunner), app.get(AccessKeys), act);
  return true;
}

/**
 * Waits until the server has answers: while it builds documents, it only listens. Builds of other processes are not
 * waited for. @returns whether the documents are there
 */
async function whenReady({ app, readSide }: RunningServer, watch: ReadyWatch, signal: AbortSignal): Promise<boolean> {
  if (!readSide.isShared) {
    await watch.ready(readSide, await app.get<EventStore>(EVENT_STORE).head(), signal);
    return true;
  }
  watch.end();
  return readSide.ready();
}

async function greeting({ url, app, bootstrap }: RunningServer): Promise<string> {
  const { credentialsFile, created, password } = bootstrap;
  const written = await readCredentials(credentialsFile);
  const credentials = written && opens(written, app.get(DirectoryFollower).directory) ? written : null;
  const isFirst = created || password !== undefined;
  return welcome({ url, credentialsFile: credentials && resolve(credentialsFile), isFirst, credentials, password });
}

/** Whether a request with these credentials is let in: their key may have ended since they were written. */
function opens({ email, key }: Credentials, directory: Directory): boolean {
  const user = directory.userByKeyHash(apiKeyHash(key));
  return user?.isActive === true && user.emailKey === foldCase(email);
}

interface Started {
  readonly url: string;
  /** null if the file is not there, or its key does not open. */
  readonly credentialsFile: string | null;
  readonly isFirst: boolean;
  /** Credentials of the owner; null without such a file. */
  readonly credentials: Credentials | null;
  /** Random password that this start chose; shown now or never. */
  readonly password?: OwnPassword | undefined;
}

/** Writes the greeting for the operator once the server answers. It has no key: what is printed may be kept as a log. */
export function welcome({ url, credentialsFile, isFirst, credentials, password }: Started): string {
  const running = `Annals is running at ${url}\n`;
  if (!credentialsFile || !credentials) return running;
  const named = `${running}Owner's credentials: ${credentialsFile}\n`;
  if (!isFirst) return named;
  return `${named}
This was the first start: the organization and its owner have been created.
  email     ${credentials.email}
${password ? `  password  ${passwordLine(password)}\n` : ''}
Send a message:
  ${call(url, credentialsFile, '/messages', ['type=channel', 'to=general', 'topic=hello', 'content=Hello from curl'])}
Read it back:
  ${call(url, credentialsFile, '/messages?anchor=newest&num_before=1&num_after=0')}
Make a link with which others join, and are in #general:
  ${call(url, credentialsFile, '/invites/multiuse', ['include_realm_default_subscriptions=true'])}
`;
}

const passwordLine = (password: OwnPassword): string =>
  'shown' in password ? `${password.shown}   (random, not shown again)` : `in ${password.file}   (random)`;

/** A line of a shell that reads the key from the file. */
function call(url: string, credentialsFile: string, path: string, fields: readonly string[] = []): string {
  const credentials = `"$(sed -n 's/^email=//p; s/^key=//p' ${quoted(credentialsFile)} | paste -sd: -)"`;
  const data = fields.map((field) => ` -d ${quoted(field)}`).join('');
  return `curl -sS -u ${credentials} ${quoted(`${url}/api/v1${path}`)}${data}`;
}

/** Quotes any text as one word of a shell's command line. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
