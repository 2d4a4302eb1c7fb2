import type { OperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import type { FieldsOf, ResultOf } from '../operations/operation.js';
import type { AskedOperation, OperationName, Operations } from '../operations/operations.js';
import { ask } from './control-client.js';
import { openOrganization } from './open-organization.js';
import { operatorName } from './operator-act.js';
import { throughServer } from './taken-log.js';
import { withTree } from './with-tree.js';

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
  const engines = await openOrganization(engineSettingsOf(config));
  try {
    return await withTree(engines, config, () => withHandlers(config, engines, (app) => carryOut(app, asked)));
  } finally {
    await engines.close();
  }
}
