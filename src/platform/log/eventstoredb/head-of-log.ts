import { type Position, START } from '../../kernel/position.js';
import type { CatchUp } from './catch-up.js';
import { decodeEvent, positionOf } from './codec.js';
import type { Reads } from './reads.js';

/** The last of them mostly is ours. A few are read sooner than the server looks for ours among them; many are not. */
const PAGES = [1, 32];
/** Where nothing is known yet, the server would look through the whole log: more is read before that. */
const FIRST_PAGES = [...PAGES, ...new Array<number>(30).fill(256)];
/** Of ours, in one part of what the server finds. */
const PART = 500;

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
    private readonly catchUp: CatchUp,
    private readonly streamPrefix: string,
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
    let end = START;
    let isFound = false;
    for (const limit of this.seen === START ? FIRST_PAGES : PAGES) {
      const events = await this.reads.all(from, 'backwards', limit, (resolved) => {
        const position = positionOf(resolved);
        from = position;
        end = Math.max(end, position);
        if (position > this.seen && decodeEvent(resolved, this.streamPrefix)) this.saw(position);
        isFound = position <= this.seen;
        return isFound;
      });
      isFound ||= events.length < limit;
      if (isFound) break;
    }
    if (!isFound) await this.search(end);
    this.searchedTo(end);
    return this.newest;
  }

  /** Nothing up to here is looked at again. */
  private get seen(): Position {
    return Math.max(this.newest, this.searched);
  }

  /** Others have written much: of what lies behind all that was seen, up to an event, the server sends what is ours. */
  private async search(end: Position): Promise<void> {
    const { signal } = new AbortController();
    const parts = this.catchUp.run({ after: this.seen, head: end, limit: PART, filter: undefined, signal });
    for await (const { events, position } of parts) {
      const newest = events.at(-1);
      if (newest) this.saw(newest.position);
      this.searchedTo(position);
    }
  }
}
