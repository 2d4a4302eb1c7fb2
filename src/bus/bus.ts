import type { JsonObject } from '../kernel/json.js';

/**
 * What processes tell each other and nobody needs to keep (D13): typing, presence, how far a follower of the log has
 * come. A message may be lost; whoever must not miss something asks for it again after a gap, and now and then.
 */
export interface Bus {
  /**
   * Subscribers in this process are told at once, before it returns; those of other processes soon after, in the order
   * in which one process published. Resolves when the message is on its way to the others.
   * @throws BusUnavailable: other processes were perhaps not told
   */
  publish(topic: string, message: JsonObject): Promise<void>;

  /** @returns the way to stop it. A listener that throws disturbs nobody else. */
  subscribe(topic: string, listener: (message: JsonObject) => void): () => void;

  /** Called when messages of other processes may have been missed. @returns the way to stop it */
  onGap(listener: () => void): () => void;

  close(): Promise<void>;
}

export class BusUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BusUnavailable';
  }
}

/** Nest token of the port. */
export const BUS = Symbol('Bus');
