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
  private timer: NodeJS.Timeout | undefined;

  /** @param failed what could not be told is told with the next change */
  constructor(
    private readonly bus: Bus,
    private readonly topic: string,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * The message has a field for each thing that changed.
   * @param within milliseconds that it may wait for others to go with; default 0
   */
  set(thing: string, state: JsonObject, within = 0): void {
    this.waiting[thing] = state;
    this.isWaiting = true;
    if (this.publishing) return;
    if (within === 0) void this.publish();
    else this.timer ??= setTimeout(() => void this.publish(), within);
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
