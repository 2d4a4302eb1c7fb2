import {
  ACCESSES_STREAM,
  type OperatorActed,
  type OperatorNames,
  type OperatorOptions,
} from '../../../events/accesses/accesses.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { AccessKeys } from '../../../platform/commands/month-keys.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';

/** A command that an operator gives. */
export interface OperatorAct {
  /** Correlation id of all events of the command. */
  readonly requestId: string;
  readonly command: string;
  readonly options: OperatorOptions;
  readonly names: OperatorNames;
}

/** Appends the act: it is in the log when this resolves. Operators give few commands, so that each is an event. */
export function recordOperatorAct(runner: Reporter, keys: AccessKeys, act: OperatorAct): Promise<void> {
  return append(runner, keys, { ...act, by: { actorId: null, client: 'annals', correlationId: act.requestId } });
}

/** Appends the act of an owner who gives the command over the API, as `recordOperatorAct`: the actor says who it was. */
export function recordOwnersAct(
  runner: Reporter,
  keys: AccessKeys,
  act: Pick<OperatorAct, 'command' | 'options'> & { readonly by: CommandContext },
): Promise<void> {
  return append(runner, keys, { ...act, names: null });
}

type Reporter = Pick<CommandRunner, 'report'>;

interface Act extends Pick<OperatorAct, 'command' | 'options'> {
  readonly names: OperatorNames | null;
  readonly by: CommandContext;
}

async function append(runner: Reporter, keys: AccessKeys, { command, options, names, by }: Act): Promise<void> {
  const event: OperatorActed = { type: 'OperatorActed', data: { command, options, words: names } };
  await runner.report(ACCESSES_STREAM, event, by, { sealing: await keys.current() });
}
