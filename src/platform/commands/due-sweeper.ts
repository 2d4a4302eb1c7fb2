import { Logger } from '@nestjs/common';
import { DomainError } from '../kernel/deciding.js';
import { Sweeper, type SweeperOptions } from './sweeper.js';

const EVERY_MS = 1000;
/** Items that other processes have made are found after so long at the latest. */
const LOOK_EVERY_MS = 10_000;
const MOST_AT_ONCE = 100;

/** An item that the server works on at a time of its own. */
interface Due {
  /** Milliseconds since 1970. */
  readonly sendAt: number;
}

/**
 * Delivers the items whose time has come. Every process that answers clients looks for them; the first one to record that
 * it begins delivers an item.
 */
export abstract class DueSweeper<Item extends Due> extends Sweeper {
  private readonly log: Logger;
  /** Nothing is due before, as far as this process knows. */
  private nextDue = 0;

  /** @param options.item what is delivered: `a scheduled message` */
  protected constructor(
    private readonly options: Pick<SweeperOptions, 'name' | 'failure'> & { readonly item: string },
  ) {
    super({ ...options, every: EVERY_MS });
    this.log = new Logger(options.name);
  }

  /** Finds the items with the earliest times, in the order of these. */
  protected abstract next(limit: number): Promise<readonly Item[]>;

  /** Delivers an item, unless another process does. An item that is still there is due again at the next run. */
  protected abstract deliver(item: Item): Promise<void>;

  async sweep(): Promise<void> {
    const now = Date.now();
    this.nextDue = now + LOOK_EVERY_MS;
    const next = await this.next(MOST_AT_ONCE).catch((error: unknown) => {
      this.nextDue = now;
      throw error;
    });
    // What is due stays due until it is delivered: the next run looks again.
    this.expect(next[0]?.sendAt ?? Number.POSITIVE_INFINITY);
    const due = next.filter(({ sendAt }) => sendAt <= now);
    for (const item of due) {
      if (this.isOver) return;
      await this.deliver(item).catch((error: unknown) => {
        this.log.warn(`${this.options.item} could not be sent yet: ${String(error)}`);
      });
    }
  }

  /** Has items looked for at that time: one has been made, or its time has been changed. */
  expect(sendAt: number): void {
    this.nextDue = Math.min(this.nextDue, sendAt);
  }

  protected override isIdle(): boolean {
    return Date.now() < this.nextDue;
  }

  /** False if the command is refused: the item has been changed, or another process delivers it. */
  protected async isBegun(begin: () => Promise<unknown>): Promise<boolean> {
    try {
      await begin();
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}
