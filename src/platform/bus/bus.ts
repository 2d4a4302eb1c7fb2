import type { JsonObject } from '../kernel/json.js';

/**
 * Messages between processes that nobody needs to keep (D13): typing, presence, progress of followers of the log. A
 * message may be lost; a listener that must not miss anything asks again after a gap, and now and then.
 */
export interface Bus {
  /**
   * Publishes a message. Subscribers in this process are called before it returns; those of other processes soon after,
   * in the order in which one process published. Resolves when the message is on its way to other processes.
   * @throws BusUnavailable: other processes may not get the message
   */
  publish(topic: string, message: JsonObject): Promise<void>;

  /** Subscribes a listener. A listener that throws disturbs no other. @returns a function that unsubscribes it */
  subscribe(topic: string, listener: (message: JsonObject) => void): () => void;

  /**
   * Subscribes a listener to gaps, after which messages of other processes may be missing. @returns a function that
   * unsubscribes it
   */
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
