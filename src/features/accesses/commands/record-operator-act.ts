import {
  ACCESSES_STREAM,
  type OperatorActed,
  type OperatorNames,
  type OperatorOptions,
} from '../../../events/accesses/accesses.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { AccessKeys } from '../../../platform/commands/month-keys.js';

/** A command that an operator gives. */
export interface OperatorAct {
  /** Correlation id of all events of the command. */
  readonly requestId: string;
  readonly command: string;
  readonly options: OperatorOptions;
  readonly names: OperatorNames;
}

/** Appends the act: it is in the log when this resolves. Operators give few commands, so that each is an event. */
export async function recordOperatorAct(
  runner: Pick<CommandRunner, 'report'>,
  keys: AccessKeys,
  { requestId, command, options, names }: OperatorAct,
): Promise<void> {
  const event: OperatorActed = { type: 'OperatorActed', data: { command, options, words: names } };
  const by = { actorId: null, client: 'annals', correlationId: requestId };
  await runner.report(ACCESSES_STREAM, event, by, { sealing: await keys.current() });
}
