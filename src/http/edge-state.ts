import type { UserRecord } from '../directory/directory.records.js';
import type { ParameterBag } from './parameters/parameter-bag.js';

const NONE: ReadonlySet<string> = new Set();

/** What the edge learns of one request on its way through; kept on the request itself. */
export class EdgeState {
  readonly startedAt = performance.now();
  user: UserRecord | null = null;
  /** Runs until the body has come. */
  bodyDeadline: NodeJS.Timeout | null = null;
  /** Read before any handler runs, so that a malformed query string changes nothing. */
  parameters: ParameterBag | null = null;
  /** Names that the endpoint takes. */
  supported: ReadonlySet<string> = NONE;
  /** Of a command that was let in: makes room for the next. */
  leave: (() => void) | null = null;

  /** Its handler has come to an end; told once or twice. */
  handled(): void {
    const { leave } = this;
    this.leave = null;
    leave?.();
  }
}

export const edge: unique symbol = Symbol('edge');

declare module 'fastify' {
  interface FastifyRequest {
    [edge]: EdgeState;
  }
}
