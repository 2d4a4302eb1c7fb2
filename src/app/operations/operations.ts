import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import type { Refusal } from '../../platform/http/refusal.js';
import { messageOf } from '../../platform/http/refusal-answer.js';
import { DomainError, type RefusalCode } from '../../platform/kernel/deciding.js';
import { refusals } from '../features.js';
import { channelOperations } from './channel-operations.js';
import { inviteOperations } from './invite-operations.js';
import { type Operation, UnknownRequest } from './operation.js';
import { permissionOperations, userOperations } from './user-operations.js';

/** THE list of what operators can ask of a server, or do without one. */
export const operations = { ...userOperations, ...channelOperations, ...inviteOperations, ...permissionOperations };

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** An operation, as a command sends it. */
export interface AskedOperation {
  readonly operation: string;
  readonly fields: unknown;
  /** Correlation id of all events of the operation. */
  readonly requestId: string;
  /** The operating system's user. */
  readonly operator: string;
}

const all: Readonly<Record<string, Operation>> = operations;

/** What operators are told besides the API's words: settings are theirs. */
const ADVICE: Partial<Record<RefusalCode, string>> = {
  PASSWORD_TOO_WEAK: ' ANNALS_PASSWORD_MIN_LENGTH asks for {least} characters or more.',
};

/**
 * @returns the result, as JSON
 * @throws Error with a message for the operator. Refusals have the API's words, and advice
 */
export async function carryOut(app: INestApplicationContext, asked: AskedOperation): Promise<string> {
  const found = Object.hasOwn(all, asked.operation) ? all[asked.operation] : undefined;
  if (!found) throw new UnknownRequest();
  const follower = app.get(DirectoryFollower);
  await follower.catchUp();
  const { requestId: correlationId, operator } = asked;
  const by = { actorId: null, client: 'annals', correlationId, operator };
  try {
    const { directory } = follower;
    const on = { app, commands: app.get(CommandBus), queries: app.get(QueryBus), directory, by };
    return JSON.stringify((await found.run(asked.fields, on)) ?? null);
  } catch (error) {
    throw error instanceof DomainError ? forOperators(error) : error;
  }
}

function forOperators(error: DomainError): Error {
  const refusal: Refusal | undefined = refusals[error.code];
  if (!refusal) return error;
  const advice = messageOf({ ...refusal, message: ADVICE[error.code] ?? '' }, error.data);
  return new Error(`${messageOf(refusal, error.data)}${advice}`);
}
