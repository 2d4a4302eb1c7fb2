import type { JsonObject } from '../kernel/json.js';
import type { Bus } from './bus.js';

/**
 * Tells the newest state of things that change often: one message at a time, with everything that has changed since
 * the last one, each thing once.
 */
export class LatestPublisher {
  private waiting: Record<string, JsonObject> = {};
  private isWaiting = false;
  private publishing = false;

  /** @param failed what could not be told is told with the next change */
  constructor(
    private readonly bus: Bus,
    private readonly topic: string,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** The message has a field for each thing that changed. */
  set(thing: string, state: JsonObject): void {
    this.waiting[thing] = state;
    this.isWaiting = true;
    if (!this.publishing) void this.publish();
  }

  private async publish(): Promise<void> {
    this.publishing = true;
    while (this.isWaiting) {
      const message = this.waiting;
      this.waiting = {};
      this.isWaiting = false;
      try {
        await this.bus.publish(this.topic, message);
      } catch (error) {
        this.failed(error);
      }
    }
    this.publishing = false;
  }
}
