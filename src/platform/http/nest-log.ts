import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { GatheredLines, gatheredText } from '../kernel/gathered-lines.js';

/** The context of Nest's lines about errors that Nest also throws, such as why it cannot listen. The caller logs them. */
const ALSO_THROWN = 'NestApplication';

/** The context of what a start has found in log, keys and tree. */
const OF_THE_START = 'Start';

/**
 * Writes the lines of Nest, and of its Logger, to the process's one log. Errors and warnings of the same text are
 * gathered: while an engine is away, or a disk is full, work that is tried again fails again.
 */
export class NestLog implements LoggerService {
  private readonly lines = new GatheredLines();

  constructor(private readonly target: FastifyBaseLogger) {}

  /** Logs at level debug: Nest's lines about its start interest few. What a start has found is for operators. */
  log(message: unknown, ...context: unknown[]): void {
    this.target[context.at(-1) === OF_THE_START ? 'info' : 'debug'](...lineOf(message, context));
  }

  error(message: unknown, ...context: unknown[]): void {
    if (context.at(-1) === ALSO_THROWN) this.debug(message, ...context);
    else this.gather('error', lineOf(message, context));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.gather('warn', lineOf(message, context));
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

  /** Writes the number of the lines that were gathered. */
  async close(): Promise<void> {
    this.lines.flush();
  }

  private gather(level: 'error' | 'warn', [about, text]: Line): void {
    this.lines.add(`${level} ${String(about.context)} ${text}`, (repeats) =>
      this.target[level]({ ...about, ...repeats }, gatheredText(text, repeats)),
    );
  }
}

type Line = [about: { readonly context: unknown; readonly err?: Error; readonly stack?: unknown }, text: string];

/** The line of a call. Nest passes the context's name as the last argument, and a stack before it. */
function lineOf(message: unknown, rest: readonly unknown[]): Line {
  const context = rest.at(-1);
  if (message instanceof Error) return [{ err: message, context }, message.message];
  const stack = rest.length > 1 ? { stack: rest[0] } : {};
  return [{ context, ...stack }, typeof message === 'string' ? message : JSON.stringify(message)];
}
