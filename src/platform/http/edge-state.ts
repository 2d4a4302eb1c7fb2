import { performance } from 'node:perf_hooks';
import type { ReadTurn } from '../kernel/read-turns.js';
import type { ParameterBag } from './parameters/parameter-bag.js';

/** The account of a request's caller. The floor that knows accounts adds the other fields. */
export interface EdgeAccount {
  readonly _id: number;
}

export interface FailedLogin {
  /** The account that was named, as the client wrote it. */
  readonly account: string;
  readonly secret: 'password' | 'apiKey';
}

const NONE: ReadonlySet<string> = new Set();

/** State of one request at the edge, kept on the request itself. */
export class EdgeState {
  readonly startedAt = performance.now();
  user: EdgeAccount | null = null;
  /** null unless a login has failed. */
  failedLogin: FailedLogin | null = null;
  /** SHA-256 of the caller's API key, hexadecimal; null on a public route. */
  keyHash: string | null = null;
  /** Whether the key came in the cookie of a session. */
  isSession = false;
  /** Read before any handler runs, so that a malformed query string changes nothing. */
  parameters: ParameterBag | null = null;
  /** Names of the parameters that the endpoint takes. */
  supported: ReadonlySet<string> = NONE;
  /** Makes room for the next command; set for an admitted command. */
  leave: (() => void) | null = null;
  /** Whether the answer has waited for an event: how long it took says nothing about the server. */
  isHeldOpen = false;
  /** Whether the request's line is in the log. */
  isLogged = false;
  /** Set for a read that takes turns with others. */
  turn: ReadTurn | null = null;

  /** @param address the client's; kept, because a closed connection does not tell it any more */
  constructor(readonly address: string) {}

  /** Called when the handler has ended, and perhaps again when its answer is sent. */
  handled(): void {
    const { leave } = this;
    this.leave = null;
    leave?.();
    this.turn?.ended();
  }
}

export const edge: unique symbol = Symbol('edge');

declare module 'fastify' {
  interface FastifyRequest {
    [edge]: EdgeState;
  }
}
