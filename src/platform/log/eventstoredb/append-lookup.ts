import type { Position } from '../../kernel/position.js';
import type { AppendRequest } from '../encode-append.js';
import { type AppendResult, RevisionConflict } from '../event-store.js';
import { isStreamNotFound, unavailable } from './classify-errors.js';
import { decodeEvent } from './codec.js';
import type { HeadOfLog } from './head-of-log.js';
import type { Reads } from './reads.js';
import type { KnownPlace, RecentLog } from './recent-log.js';
import type { Tail } from './tail.js';

/** Finds out whether events are in the log already: first in the memory of the tail, then in the stream itself. */
export class AppendLookup {
  constructor(
    private readonly reads: Reads,
    private readonly tail: Tail,
    private readonly head: HeadOfLog,
    private readonly recent: RecentLog,
    private readonly streamPrefix: string,
  ) {}

  /** Lists the events that the memory knows, in their order. */
  remembered({ stream, events }: AppendRequest): KnownPlace[] {
    const known: KnownPlace[] = [];
    for (const { id } of events) {
      const place = this.recent.find(stream, id);
      if (place) known.push(place);
    }
    return known;
  }

  /**
   * Gives the result of the first append of these events.
   *
   * @param known the places of the events that are in the log, at least one
   * @throws RevisionConflict unless they are all of the events, in their order and next to each other
   */
  async result(request: AppendRequest, known: readonly KnownPlace[], isRepeat: boolean | null): Promise<AppendResult> {
    const { stream, events, expected } = request;
    const first = known[0]?.revision ?? 0;
    const isWhole =
      known.length === events.length &&
      known.every(({ id, revision }, index) => id === events[index]?.id && revision === first + index);
    const last = known.at(-1);
    if (!isWhole || !last) throw new RevisionConflict(stream, expected, await this.lastRevision(stream));
    const position = last.position ?? (await this.eventAt(stream, last.revision))?.position;
    if (position === undefined) throw unavailable(new Error(`revision ${last.revision} of ${stream} is not there`));
    return { revision: last.revision, position, isRepeat };
  }

  /** Resolves when the tail has passed the head that is read now. @throws EventStoreUnavailable */
  async passHead(): Promise<void> {
    await this.tail.reach(await this.head.read());
  }

  /**
   * Like `remembered`, for events of which an attempt may have been stored; the tail has passed the head since.
   *
   * @param since position of the head before the first attempt: none of the events lies at or before it
   */
  async stored(request: AppendRequest, since: Position): Promise<KnownPlace[]> {
    if (this.recent.idFloor <= since) return this.remembered(request);
    const ids = new Map(request.events.map(({ id }, index) => [id, index]));
    const known: KnownPlace[] = [];
    await this.readBack(request.stream, 'end', undefined, (place) => {
      if (ids.has(place.id)) known.push(place);
      return place.position !== undefined && place.position <= since;
    });
    return known.sort((a, b) => (ids.get(a.id) ?? 0) - (ids.get(b.id) ?? 0));
  }

  /**
   * Finds those of the events that lie at the expected revision or directly before it: the server would write them again.
   */
  async atExpected({ stream, events, expected }: AppendRequest): Promise<KnownPlace[]> {
    if (typeof expected !== 'number') return [];
    const ids = new Set(events.map(({ id }) => id));
    const known: KnownPlace[] = [];
    await this.readBack(stream, expected, events.length, (place) => {
      if (ids.has(place.id)) known.push(place);
      return false;
    });
    return known.reverse();
  }

  /** Reads a stream's last revision; null if the stream does not exist. */
  async lastRevision(stream: string): Promise<number | null> {
    let last: number | null = null;
    await this.readBack(stream, 'end', 1, ({ revision }) => {
      last = revision;
      return true;
    });
    return last;
  }

  async eventAt(stream: string, revision: number): Promise<KnownPlace | undefined> {
    let found: KnownPlace | undefined;
    await this.readBack(stream, revision, 1, (place) => {
      found = place;
      return true;
    });
    return found?.revision === revision ? found : undefined;
  }

  private async readBack(
    stream: string,
    from: number | 'end',
    limit: number | undefined,
    enough: (place: KnownPlace) => boolean,
  ): Promise<void> {
    try {
      await this.reads.stream(this.streamPrefix + stream, from, 'backwards', limit, (resolved) => {
        const place = decodeEvent(resolved, this.streamPrefix);
        return place ? enough(place) : false;
      });
    } catch (error) {
      if (!isStreamNotFound(error)) throw unavailable(error);
    }
  }
}
