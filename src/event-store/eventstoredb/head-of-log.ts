import { type Position, START } from '../../kernel/position.js';
import { decodeEvent, positionOf } from './codec.js';
import type { Reads } from './reads.js';

/** The last of them mostly is ours; where others write, more are taken at a time. */
const PAGES = [1, 32, 256];
/** Then the server looks for ours, which it can do forwards only, and much faster than one event after the other is sent. */
const MOST_PAGES = 30;

/** Where our newest event lies among those of the engine and of others: what was looked at once is not looked at again. */
export class HeadOfLog {
  /** Of ours, as far as is known. */
  private newest: Position = START;
  /** Nothing of ours lies between `newest` and here. */
  private searched: Position = START;
  private running: Promise<Position> | undefined;
  private next: Promise<Position> | undefined;

  constructor(
    private readonly reads: Reads,
    private readonly streamPrefix: string,
    /** Our newest event after a position. */
    private readonly search: (after: Position) => Promise<Position>,
  ) {}

  get known(): Position {
    return this.newest;
  }

  /** An event of ours. */
  saw(position: Position): void {
    if (position > this.newest) this.newest = position;
  }

  /** All up to here was looked at, and what is ours was seen. */
  searchedTo(position: Position): void {
    if (position > this.searched) this.searched = position;
  }

  /**
   * Position of our newest event; START where there is none. The server is asked after the call, never before it, once
   * for all who call while it is being asked for others.
   *
   * @throws EventStoreUnavailable
   */
  read(): Promise<Position> {
    if (this.running) {
      this.next ??= this.running.then(
        () => this.begin(),
        () => this.begin(),
      );
      return this.next;
    }
    return this.begin();
  }

  private begin(): Promise<Position> {
    this.next = undefined;
    const running = this.look().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }

  private async look(): Promise<Position> {
    let from: Position | 'end' = 'end';
    let end: Position | undefined;
    for (let page = 0; ; page += 1) {
      let isFound = false;
      const limit = PAGES[Math.min(page, PAGES.length - 1)] ?? 1;
      const events = await this.reads.all(from, 'backwards', limit, (resolved) => {
        const position = positionOf(resolved);
        end ??= position;
        from = position;
        const isOurs = position > this.searched && decodeEvent(resolved, this.streamPrefix) !== undefined;
        if (isOurs) this.saw(position);
        isFound = isOurs || position <= this.searched;
        return isFound;
      });
      if (!isFound && events.length === limit) {
        if (page < MOST_PAGES) continue;
        this.saw(await this.search(this.newest));
      }
      if (end !== undefined) this.searchedTo(end);
      return this.newest;
    }
  }
}
