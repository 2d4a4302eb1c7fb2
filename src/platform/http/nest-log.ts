import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** The context of Nest's lines about errors that Nest also throws, such as why it cannot listen. The caller logs them. */
const ALSO_THROWN = 'NestApplication';

/** Writes the lines of Nest, and of its Logger, to the process's one log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: FastifyBaseLogger) {}

  /** Logs at level debug: Nest's lines about its start interest few. */
  log(message: unknown, ...context: unknown[]): void {
    this.target.debug(...lineOf(message, context));
  }

  error(message: unknown, ...context: unknown[]): void {
    if (context.at(-1) === ALSO_THROWN) this.debug(message, ...context);
    else this.target.error(...lineOf(message, context));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.target.warn(...lineOf(message, context));
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.target.debug(...lineOf(message, context));
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.target.trace(...lineOf(message, context));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.target.fatal(...lineOf(message, context));
  }
}

/** The line of a call. Nest passes the context's name as the last argument, and a stack before it. */
function lineOf(message: unknown, rest: readonly unknown[]): [object, string] {
  const context = rest.at(-1);
  if (message instanceof Error) return [{ err: message, context }, message.message];
  const stack = rest.length > 1 ? { stack: rest[0] } : {};
  return [{ context, ...stack }, typeof message === 'string' ? message : JSON.stringify(message)];
}
