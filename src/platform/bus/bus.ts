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

/** Reports an error of a listener, or a failure to hear other processes. */
export type ReportFailure = (error: unknown) => void;

export const warn: ReportFailure = (error) => process.emitWarning(String(error));

/** A process's listeners, by topic. */
export class Listeners {
  private readonly byTopic = new Map<string, Set<(message: JsonObject) => void>>();
  private readonly onGaps = new Set<() => void>();

  constructor(private readonly failed: ReportFailure) {}

  /** @returns the way to stop it */
  add(topic: string, listener: (message: JsonObject) => void): () => void {
    const listeners = this.byTopic.get(topic) ?? new Set();
    this.byTopic.set(topic, listeners);
    // A new function, so that the same listener can be added twice.
    const own = (message: JsonObject): void => listener(message);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  /** @returns the way to stop it */
  addOnGap(listener: () => void): () => void {
    const own = (): void => listener();
    this.onGaps.add(own);
    return () => this.onGaps.delete(own);
  }

  /** Calls the listeners of a topic. An error of one does not keep the message from the others. */
  tell(topic: string, message: JsonObject): void {
    for (const listener of [...(this.byTopic.get(topic) ?? [])]) this.attempt(() => listener(message));
  }

  tellGap(): void {
    for (const listener of [...this.onGaps]) this.attempt(listener);
  }

  clear(): void {
    this.byTopic.clear();
    this.onGaps.clear();
  }

  private attempt(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.failed(error);
    }
  }
}
