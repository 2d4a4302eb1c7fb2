import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Nest prints what keeps it from listening, and throws it too: whoever starts it tells of it. */
const THROWN_TOO = 'NestApplication';

/** Nest's own lines, and those written with its Logger, in the process's one log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: FastifyBaseLogger) {}

  /** What Nest tells about itself while it starts is of interest to few. */
  log(message: unknown, ...context: unknown[]): void {
    this.target.debug(...lineOf(message, context));
  }

  error(message: unknown, ...context: unknown[]): void {
    if (context.at(-1) === THROWN_TOO) this.debug(message, ...context);
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

/** Nest passes the name of whoever writes last, and a stack before it. */
function lineOf(message: unknown, rest: readonly unknown[]): [object, string] {
  const context = rest.at(-1);
  if (message instanceof Error) return [{ err: message, context }, message.message];
  const stack = rest.length > 1 ? { stack: rest[0] } : {};
  return [{ context, ...stack }, typeof message === 'string' ? message : JSON.stringify(message)];
}
