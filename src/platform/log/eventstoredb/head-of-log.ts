import { type Position, START } from '../../kernel/position.js';
import type { CatchUp } from './catch-up.js';
import { decodeEvent, positionOf } from './codec.js';
import type { Reads } from './reads.js';

/** Sizes of the pages read from the log's end. Our newest event is mostly the last one; beyond a few, a search is faster. */
const PAGES = [1, 32];
/** At first nothing is known, and the server would search the whole log: more pages are read before that. */
const FIRST_PAGES = [...PAGES, ...new Array<number>(30).fill(256)];
/** Events of one part of a search. */
const PART = 500;

/** Finds our newest event among those of the engine and of other programs. Looks at no event twice. */
export class HeadOfLog {
  /** Position of our newest event that is known. */
  private newest: Position = START;
  /** No event of ours lies between `newest` and this position. */
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

  /** Records an event of ours. */
  saw(position: Position): void {
    if (position > this.newest) this.newest = position;
  }

  /** Records that every event of ours up to the position is known. */
  searchedTo(position: Position): void {
    if (position > this.searched) this.searched = position;
  }

  /**
   * Reads the position of our newest event; START if there is none. The answer is newer than the call. Calls during a read
   * share the next one.
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

  /** Position up to which no event is looked at again. */
  private get seen(): Position {
    return Math.max(this.newest, this.searched);
  }

  /** Lets the server search the unseen part up to `end` for our events, among many events of others. */
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
