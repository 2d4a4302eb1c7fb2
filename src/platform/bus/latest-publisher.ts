import type { JsonObject } from '../kernel/json.js';
import type { Bus } from './bus.js';

/**
 * Publishes the newest state of things that change often: one message at a time, with all changes since the last one,
 * each thing once.
 */
export class LatestPublisher {
  private waiting: Record<string, JsonObject> = {};
  private isWaiting = false;
  private publishing = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param failed called after a failure; the state is published again with the next change of the thing */
  constructor(
    private readonly bus: Bus,
    private readonly topic: string,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * Publishes a thing's state, as a field of the next message.
   * @param delay milliseconds to wait for further changes; default 0
   */
  set(thing: string, state: JsonObject, delay = 0): void {
    this.waiting[thing] = state;
    this.isWaiting = true;
    if (this.publishing) return;
    if (delay === 0) void this.publish();
    else this.timer ??= setTimeout(() => void this.publish(), delay);
  }

  private async publish(): Promise<void> {
    if (this.publishing) return;
    this.publishing = true;
    clearTimeout(this.timer);
    this.timer = undefined;
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
