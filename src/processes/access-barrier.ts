import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../bus/bus.js';
import type { Position } from '../kernel/position.js';
import type { ProcessRegistry } from './process-registry.js';

/** Published by each process whose directory has taken in a change: `{ [process]: { position } }`. */
export const DIRECTORY_TOPIC = 'directory';

export interface AccessBarrierOptions {
  readonly registry: Pick<ProcessRegistry, 'peers'>;
  readonly bus: Bus;
  /**
   * Milliseconds for which a process answers from a directory that it cannot confirm (D8). Once so long has passed since
   * an append, every process has taken it in or answers nobody.
   */
  readonly freshFor?: number;
  readonly report: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

const LOOK_EVERY_MS = 100;
/** For the clocks of two machines, which do not run equally fast. */
const MARGIN_MS = 250;

/** What a command that gives or takes access waits for: no process answers any more from before it (D8). */
export class AccessBarrier {
  private readonly announced = new Map<string, Position>();
  private readonly clock: () => number;
  private readonly stop: () => void;
  private wake: () => void = () => {};
  private news: Promise<void> = this.nextNews();

  constructor(private readonly options: AccessBarrierOptions) {
    this.clock = options.clock ?? (() => performance.now());
    this.stop = options.bus.subscribe(DIRECTORY_TOPIC, (message) => {
      for (const [process, told] of Object.entries(message)) {
        const position = typeof told === 'object' && told !== null && 'position' in told ? told.position : null;
        if (typeof position === 'number') this.announced.set(process, position);
      }
      const { wake } = this;
      this.news = this.nextNews();
      wake();
    });
  }

  /** @param position of an event that this process has just appended, or seen */
  async passed(position: Position): Promise<void> {
    const { freshFor = 5000, report } = this.options;
    const until = this.clock() + freshFor + MARGIN_MS;
    while (this.clock() < until) {
      const { news } = this;
      try {
        if (await this.everybodyPassed(position)) return;
      } catch (error) {
        report(error);
      }
      await Promise.race([news, sleep(LOOK_EVERY_MS)]);
    }
  }

  close(): void {
    this.stop();
  }

  /** Asks who there is anew each time: whoever joined since has read a log that holds the event. */
  private async everybodyPassed(position: Position): Promise<boolean> {
    const peers = await this.options.registry.peers();
    const ids = new Set(peers.map(({ _id }) => _id));
    for (const id of this.announced.keys()) if (!ids.has(id)) this.announced.delete(id);
    return peers.every(
      ({ _id, directory }) =>
        directory === null || Math.max(directory, this.announced.get(_id) ?? directory) >= position,
    );
  }

  private nextNews(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
