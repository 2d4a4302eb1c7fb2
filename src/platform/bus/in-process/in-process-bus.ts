import type { JsonObject } from '../../kernel/json.js';
import { type Bus, BusUnavailable, Listeners, type ReportFailure, warn } from '../bus.js';

/** A bus within one process: every subscriber is here, and misses nothing. */
export class InProcessBus implements Bus {
  private readonly listeners: Listeners;
  private closed = false;

  /** @param failed called with errors of listeners */
  constructor(failed: ReportFailure = warn) {
    this.listeners = new Listeners(failed);
  }

  async publish(topic: string, message: JsonObject): Promise<void> {
    if (this.closed) throw new BusUnavailable('the bus is closed');
    this.listeners.tell(topic, message);
  }

  subscribe(topic: string, listener: (message: JsonObject) => void): () => void {
    return this.listeners.add(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.listeners.addOnGap(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.listeners.clear();
  }
}
