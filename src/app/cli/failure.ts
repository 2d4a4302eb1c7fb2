import type { Writable } from 'node:stream';
import { types } from 'node:util';
import { CommanderError } from 'commander';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import { ConfigRefused } from '../config/read-config.js';

export const EXIT = { failed: 1, usage: 2 } as const;

interface Failure {
  /** Fault and remedy for the operator; empty if they were printed already. */
  readonly message: string;
  readonly exitCode: number;
}

/** The command line asks for something impossible. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The reason was printed already. */
export class ToldFailure extends Error {
  override readonly name = 'ToldFailure';
}

/** Prints lines, each with the program's name: the server's own log goes to stderr, too. */
export const complain = (errors: Pick<Writable, 'write'>, text: string): void =>
  void errors.write(`${text.replace(/^/gm, 'annals: ')}\n`);

/** Makes the message of an error for an operator: never a stack trace. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { message: '', exitCode: error.exitCode === 0 ? 0 : EXIT.usage };
  }
  if (error instanceof ToldFailure) return { message: '', exitCode: EXIT.failed };
  if (error instanceof UsageError) return { message: error.message, exitCode: EXIT.usage };
  if (error instanceof ConfigRefused) {
    const hint = 'All settings: annals start --help';
    return { message: [...error.problems, hint].join('\n'), exitCode: EXIT.usage };
  }
  // The cause is for a debugger: a driver's text may have the password of a URL in it.
  if (error instanceof StartRefused) return { message: error.message, exitCode: EXIT.failed };
  return { message: messageOf(error), exitCode: EXIT.failed };
}

/** A system error; its fields depend on its code. */
interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

function messageOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const { code, address, hostname, port, path } = error as SystemError;
  const listening = `${address ?? 'this address'}${port === undefined ? '' : ` port ${port}`}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${listening} is taken by another program: stop it, or choose another port with --port or ANNALS_PORT`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${address ?? hostname ?? 'like that'}: choose another with --host or ANNALS_HOST`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path === undefined
        ? `this user may not listen on ${listening}: choose a port from 1024 up with --port or ANNALS_PORT`
        : `this user may not write ${path}: change its owner, or choose another folder with --data-dir or ANNALS_DATA_DIR`;
    case 'ENOSPC':
      return `no space left on the disk${path ? ` of ${path}` : ''}: free some and start again, nothing acknowledged is lost`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'the data directory'} is in the way, it is not a folder: choose another with --data-dir or ANNALS_DATA_DIR`;
    default:
      return withCauses(error);
  }
}

function withCauses(error: Error): string {
  const message = error.message || error.name;
  if (!types.isNativeError(error.cause)) return message;
  const cause = withCauses(error.cause);
  return message.includes(cause) ? message : `${message}: ${cause}`;
}

/** The log cannot be copied; the message has the reason and the remedy in one line. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}
