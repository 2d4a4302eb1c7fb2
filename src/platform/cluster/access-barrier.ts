import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../bus/bus.js';
import { Deferred } from '../kernel/deferred.js';
import type { Position } from '../kernel/position.js';
import type { ProcessRegistry } from './process-registry.js';

/** Topic of the positions of directories, published after each change: `{ [process]: { position } }`. */
export const DIRECTORY_TOPIC = 'directory';

interface AccessBarrierOptions {
  readonly registry: Pick<ProcessRegistry, 'peers'>;
  readonly bus: Bus;
  /**
   * Milliseconds for which a process answers from a directory that it cannot confirm (D8); default 5000. After this
   * time, every process has applied an append or answers nobody.
   */
  readonly freshFor?: number;
  readonly report: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

const LOOK_EVERY_MS = 100;
/** Margin for clocks of different speed. */
const MARGIN_MS = 250;

/** Holds the answer to a change of access until no process answers from an earlier state (D8). */
export class AccessBarrier {
  private readonly announced = new Map<string, Position>();
  private readonly clock: () => number;
  private readonly stop: () => void;
  private news = new Deferred<void>();

  constructor(private readonly options: AccessBarrierOptions) {
    this.clock = options.clock ?? (() => performance.now());
    this.stop = options.bus.subscribe(DIRECTORY_TOPIC, (message) => {
      for (const [process, progress] of Object.entries(message)) {
        const position =
          typeof progress === 'object' && progress !== null && 'position' in progress ? progress.position : null;
        if (typeof position === 'number') this.announced.set(process, position);
      }
      const { news } = this;
      this.news = new Deferred();
      news.resolve();
    });
  }

  /** @param position of an event that this process has appended or seen */
  async waitUntilPassed(position: Position): Promise<void> {
    const { freshFor = 5000, report } = this.options;
    const until = this.clock() + freshFor + MARGIN_MS;
    while (this.clock() < until) {
      const { news } = this;
      try {
        if (await this.everybodyPassed(position)) return;
      } catch (error) {
        report(error);
      }
      await Promise.race([news.promise, sleep(LOOK_EVERY_MS)]);
    }
  }

  close(): void {
    this.stop();
  }

  /** Looks the processes up each time: a process that joined since has read a log that holds the event. */
  private async everybodyPassed(position: Position): Promise<boolean> {
    const peers = await this.options.registry.peers();
    const ids = new Set(peers.map(({ _id }) => _id));
    for (const id of this.announced.keys()) if (!ids.has(id)) this.announced.delete(id);
    return peers.every(
      ({ _id, directory }) =>
        directory === null || Math.max(directory, this.announced.get(_id) ?? directory) >= position,
    );
  }
}
