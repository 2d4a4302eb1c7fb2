import type { Writable } from 'node:stream';
import { type OperatorAct, recordOperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { AccessKeys } from '../../platform/commands/month-keys.js';
import { type BackupMade, rememberBackup } from '../backup/backup.documents.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import type { FieldsOf, ResultOf } from '../operations/operation.js';
import type { AskedOperation, OperationName, Operations } from '../operations/operations.js';
import { openCodec } from '../roles/skipped-events.js';
import { acceptedKeys } from '../verify/accepted-keys.js';
import { ask } from './control-client.js';
import { complain, failureOf } from './failure.js';
import { inOrganization, openOrganization, throughServer } from './open-organization.js';
import { operatorName } from './operator-act.js';
import { withTree } from './with-tree.js';

/** Milliseconds for which a command waits for a start that it may be asked to explain. */
const SHORT_WAIT_MS = 5000;

/**
 * Records a command in the log before it does anything. The server that runs on the data directory does it, as its own
 * settings say. Without one, or with shared engines, this process appends to the log itself.
 *
 * @param options.longestMs see `throughServer`
 * @returns false if the settings say that nothing is recorded
 * @throws Error if it could not be recorded
 */
export async function recordAct(
  config: Config,
  act: OperatorAct,
  { longestMs }: { readonly longestMs?: number } = {},
): Promise<boolean> {
  return throughServer(engineSettingsOf(config), {
    ask: async (server) => (await ask(server, { request: 'record', act })) === true,
    here: async () => config.accessDays > 0 && (await recordHere(config, act)),
    longestMs,
  });
}

/** Records a command that shows words. @throws Error if it is not in the log: then it must not show them */
export async function recordReading(config: Config, act: OperatorAct): Promise<void> {
  if (!(await recordAct(config, act)))
    throw new Error('words are not shown, because this command cannot be recorded: ANNALS_ACCESS_DAYS is 0');
}

/** Records a command that goes on if it cannot be recorded: it has to work with a log that nobody may write, too. */
export async function recordActIfPossible(config: Config, act: OperatorAct, errors: Writable): Promise<void> {
  try {
    await recordAct(config, act, { longestMs: SHORT_WAIT_MS });
  } catch (error) {
    // Without a log to read, the command fails for that reason.
    await (await openOrganization({ ...engineSettingsOf(config), readOnly: true })).close();
    complain(errors, `this command is not recorded in the log: ${failureOf(error).message}`);
  }
}

async function recordHere(config: Config, act: OperatorAct): Promise<boolean> {
  return inOrganization(engineSettingsOf(config), async (engines) => {
    const { eventStore, contentKeys } = engines;
    const keysSince = (await acceptedKeys(eventStore))?.id ?? null;
    const codec = await openCodec({ eventStore, contentKeys });
    const runner = new CommandRunner(eventStore, contentKeys, codec, { keysSince });
    await withTree(engines, config, () => recordOperatorAct(runner, new AccessKeys(runner.monthKeys), act));
    return true;
  });
}

/**
 * Has the server that runs on the data directory carry out the operation. Without one, or with
 * shared engines, this process does it.
 *
 * @throws Error with a message for the operator
 */
export async function operate<Name extends OperationName>(
  { config, act }: { readonly config: Config; readonly act: OperatorAct },
  operation: Name,
  fields: FieldsOf<Operations[Name]>,
): Promise<ResultOf<Operations[Name]>> {
  const asked = { operation, fields, requestId: act.requestId, operator: operatorName(act.names) };
  const result = await throughServer(engineSettingsOf(config), {
    ask: async (server) => String(await ask(server, { request: 'operate', asked })),
    here: () => operateHere(config, asked),
  });
  return JSON.parse(result) as ResultOf<Operations[Name]>;
}

async function operateHere(config: Config, asked: AskedOperation): Promise<string> {
  const [{ withHandlers }, { carryOut }] = [
    await import('../handlers.js'),
    await import('../operations/operations.js'),
  ];
  return inOrganization(engineSettingsOf(config), (engines) =>
    withTree(engines, config, () => withHandlers(config, engines, (app) => carryOut(app, asked))),
  );
}

/** Has the server remember a backup for monitoring, or does it without one. The backup is made in any case. */
export async function noteBackupIfPossible(config: Config, made: BackupMade, errors: Writable): Promise<void> {
  const settings = engineSettingsOf(config);
  try {
    await throughServer(settings, {
      ask: async (server) => void (await ask(server, { request: 'backup', made })),
      here: () => inOrganization(settings, ({ documentStore }) => rememberBackup(documentStore, made)),
      // Does not wait for a server that has only begun to start.
      longestMs: 0,
    });
  } catch (error) {
    complain(errors, `health does not know of this backup: ${failureOf(error).message}`);
  }
}
