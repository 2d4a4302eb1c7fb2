import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../kernel/json.js';
import type { Bus } from './bus.js';

/** How often news that wait may wait again. */
const MOST_REPEATS = 4;

/**
 * Publishes the newest state of things that change often: the messages of all topics together, each with all changes
 * since the last one, each thing once.
 */
export class LatestPublisher {
  private waiting = new Map<string, Record<string, JsonObject>>();
  /** A change that waits is to be published now, and all others with it. */
  private isDue = false;
  private publishing = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param failed called after a failure; the state is published again with the next change of the thing
   * @param isMoreComing tells whether changes are on their way that are to be published at once: others wait for them
   */
  constructor(
    private readonly bus: Bus,
    private readonly failed: (error: unknown) => void,
    private readonly isMoreComing: () => boolean = () => false,
  ) {}

  /**
   * Publishes a thing's state, as a field of the topic's next message.
   * @param longest milliseconds to wait for further changes of any topic; up to five times as long if more are coming;
   * default 0
   */
  set(topic: string, thing: string, state: JsonObject, longest = 0): void {
    const message = this.waiting.get(topic) ?? {};
    message[thing] = state;
    this.waiting.set(topic, message);
    if (longest === 0) this.due();
    else if (this.timer === undefined) this.wait(longest, MOST_REPEATS);
  }

  private wait(longest: number, repeats: number): void {
    this.timer = setTimeout(() => {
      if (repeats > 0 && this.isMoreComing()) this.wait(longest, repeats - 1);
      else this.due();
    }, longest);
  }

  private due(): void {
    this.isDue = true;
    if (!this.publishing) void this.publish();
  }

  private async publish(): Promise<void> {
    this.publishing = true;
    while (this.isDue) {
      // Changes of the same moment come one after the other.
      await nextTurn();
      const messages = this.waiting;
      this.waiting = new Map();
      this.isDue = false;
      clearTimeout(this.timer);
      this.timer = undefined;
      try {
        await Promise.all([...messages].map(([topic, message]) => this.bus.publish(topic, message)));
      } catch (error) {
        this.failed(error);
      }
    }
    this.publishing = false;
  }
}
