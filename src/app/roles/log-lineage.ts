import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_QUEUES_STREAM } from '../../events/event-queues/event-queues.events.js';
import { MESSAGES_STREAM } from '../../events/messages/messages.events.js';
import { USERS_STREAM } from '../../events/users/users.events.js';
import {
  type Collection,
  type CollectionSpec,
  type DocumentDatabase,
  DuplicateKey,
  type StoredCheckpoint,
  type StoredDocument,
} from '../../platform/documents/document-store.js';
import type { Engines } from '../../platform/engines/engines.js';
import { Deferred } from '../../platform/kernel/deferred.js';
import { pause } from '../../platform/kernel/pause.js';
import { type Position, START } from '../../platform/kernel/position.js';
import { EventStoreUnavailable, isThere, LogReplaced, type StoredEvent } from '../../platform/log/event-store.js';

interface MarkDocument extends StoredDocument {
  readonly _id: 'newest';
  /** Id that changes when everything that was made from an earlier log has been removed. */
  readonly lineage: string;
  /** Position of the newest event; START if there was none. */
  readonly position: Position;
  readonly event: { readonly stream: string; readonly revision: number; readonly id: string } | null;
  /** True if a process has found the log to be another one. */
  readonly isOther: boolean;
  /** Time since when a process removes everything made from another log, ms since 1970; null: none does. */
  readonly mendingSince: number | null;
}

export const LOG_LINEAGE_DATABASE = 'log-mark';
const collections: Readonly<Record<string, CollectionSpec>> = { mark: {} };
const LOOK_EVERY_MS = 1000;
/** Looks in a row that must miss the event: a replica that answers may be a little behind. */
const MISSES_TO_BE_SURE = 3;

/** Streams in which to look for the newest event: all activity soon appends to one of them. */
const STREAMS = [MESSAGES_STREAM, EVENT_QUEUES_STREAM, USERS_STREAM];

/**
 * Detects that the log was restored from a backup, even if it has grown since: documents, positions and answers would
 * be another log's. Checkpoints name the last event that is in the documents. The newest event, in the documents or
 * not, is stored beside them every second and at the end.
 */
export class LogLineage {
  /** Resolves when the log is found to be another one: this process's memory of it is then worthless. */
  readonly lost: Promise<string>;
  private readonly losing = new Deferred<string>();
  private isLost = false;
  private misses = 0;
  private isReplaced = false;
  private readonly stopping = new AbortController();
  private looking: Promise<void> = Promise.resolve();

  private constructor(
    private readonly engines: Pick<Engines, 'eventStore' | 'documentStore'>,
    private readonly database: DocumentDatabase,
    private mark: MarkDocument,
    private readonly isShared: boolean,
    private readonly report: (error: unknown) => void,
  ) {
    this.lost = this.losing.promise;
  }

  static async open(
    engines: Pick<Engines, 'eventStore' | 'documentStore'>,
    { isShared, report }: { readonly isShared: boolean; readonly report: (error: unknown) => void },
  ): Promise<LogLineage> {
    const database = await engines.documentStore.database(LOG_LINEAGE_DATABASE);
    await database.ensure(collections);
    return new LogLineage(engines, database, await firstMark(marksIn(database)), isShared, report);
  }

  /**
   * Records that the log is another one, of which `holds` then knows after a kill, too. Does nothing if another process has
   * recorded that since this one opened the lineage.
   */
  async disown(): Promise<void> {
    const { lineage } = this.mark;
    while (this.mark.lineage === lineage && !isLeft(this.mark)) {
      if (await this.replace({ ...this.mark, isOther: true })) return;
      this.mark = await firstMark(marksIn(this.database));
    }
  }

  /** Tells whether the documents were made from this log. @throws EventStoreUnavailable */
  async holds(): Promise<boolean> {
    // Checkpoints are read before the mark: a process that removes documents changes the mark first.
    const checkpoints = await this.engines.documentStore.checkpoints();
    this.mark = await firstMark(marksIn(this.database));
    if (isLeft(this.mark)) return false;
    for (let misses = 0; misses < MISSES_TO_BE_SURE; misses += 1) {
      if (misses > 0) await sleep(LOOK_EVERY_MS);
      if ((await this.isIn(this.mark)) && (await this.holdsCheckpoints(checkpoints))) return true;
    }
    return false;
  }

  /** Looks for the newest event that any checkpoint was stored with: all other checkpoints' events are older. */
  private async holdsCheckpoints(checkpoints: readonly StoredCheckpoint[]): Promise<boolean> {
    const { eventStore } = this.engines;
    const [newest] = checkpoints.flatMap(({ event }) => event ?? []).sort((a, b) => b.position - a.position);
    if (newest && !(await isThere(eventStore, newest))) return false;
    // Older versions stored checkpoints without an event. In a shared log, their positions may be of other programs'
    // events.
    if (this.isShared) return true;
    const head = await eventStore.head();
    return checkpoints.every(({ position }) => position <= head);
  }

  /**
   * Tells whether the log looks like another one while it is looked at again. One look that misses another process's
   * event proves little: a replica may have answered.
   */
  get isInDoubt(): boolean {
    return this.isReplaced || this.misses > 1;
  }

  /** Begins to store the newest event and to watch the log. */
  start(): void {
    this.looking = this.keepLooking();
  }

  /**
   * Makes this process the one that removes everything made from the earlier log.
   * @param patience milliseconds for which another process may work on it
   * @returns false if another process does
   */
  async claim(patience: number): Promise<boolean> {
    const { mendingSince } = this.mark;
    if (mendingSince !== null && Date.now() - mendingSince < patience) return false;
    return this.replace({ ...this.mark, mendingSince: Date.now() });
  }

  /** Marks everything as made from this log: processes that knew the earlier one see the change. */
  async mended(): Promise<void> {
    await this.replace(markOf(await this.newestEvent(), randomUUID()));
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.looking;
    await this.database.close();
  }

  private async keepLooking(): Promise<void> {
    const { signal } = this.stopping;
    let hasFailed = false;
    while (!this.isLost && !signal.aborted) {
      await pause(LOOK_EVERY_MS, signal);
      // Looks once more at the end, so that the mark is as new as the documents, unless the engines are away.
      if (signal.aborted && hasFailed) return;
      try {
        await this.look();
        hasFailed = false;
      } catch (error) {
        // Others report a log that is away.
        if (!hasFailed && !(error instanceof EventStoreUnavailable)) this.report(error);
        hasFailed = true;
      }
    }
  }

  private async look(): Promise<void> {
    const newest = await this.newestKnown();
    const mark = await firstMark(marksIn(this.database));
    if (mark.lineage !== this.mark.lineage || isLeft(mark)) return this.lose();
    this.mark = mark;
    this.isReplaced = newest === 'replaced';
    // Comes after the search for the newest event: that event is then in the same log as the mark.
    if (newest === 'replaced' || !(await this.isIn(mark))) {
      this.misses += 1;
      if (this.misses < MISSES_TO_BE_SURE) return;
      this.lose();
      await this.replace({ ...mark, isOther: true });
      return;
    }
    this.misses = 0;
    if (newest && newest.position > mark.position) await this.replace(markOf(newest, mark.lineage));
  }

  /**
   * Finds the newest event. @returns 'replaced' if the log lacks events that this process has seen since the last look
   */
  private async newestKnown(): Promise<StoredEvent | undefined | 'replaced'> {
    try {
      await this.engines.eventStore.head();
    } catch (error) {
      if (error instanceof LogReplaced) return 'replaced';
      throw error;
    }
    return this.newestEvent();
  }

  private lose(): void {
    this.isLost = true;
    this.losing.resolve(new LogReplaced().message);
  }

  /** Stores a mark, unless another process has replaced it since this one read it. */
  private async replace(mark: MarkDocument): Promise<boolean> {
    const { _id, lineage, position, isOther, mendingSince } = this.mark;
    const { matched } = await marksIn(this.database).replaceOne(
      { _id, lineage, position, isOther, mendingSince },
      mark,
    );
    if (matched === 1) this.mark = mark;
    return matched === 1;
  }

  private isIn({ event, position }: MarkDocument): Promise<boolean> | true {
    return event === null || isThere(this.engines.eventStore, { ...event, position });
  }

  private async newestEvent(): Promise<StoredEvent | undefined> {
    const { eventStore } = this.engines;
    const last = await Promise.all(
      STREAMS.map((stream) => eventStore.readStream(stream, { direction: 'backwards', limit: 1 })),
    );
    return last.flat().sort((a, b) => b.position - a.position)[0];
  }
}

const marksIn = (database: DocumentDatabase): Collection<MarkDocument> => database.collection<MarkDocument>('mark');

/** Tells whether a process has found the log to be another one. */
const isLeft = ({ isOther, mendingSince }: MarkDocument): boolean => isOther || mendingSince !== null;

/** Gives the stored mark, or else the mark of an empty log, which every log continues. */
async function firstMark(marks: Collection<MarkDocument>): Promise<MarkDocument> {
  const there = await marks.findOne({ _id: 'newest' });
  if (there) return there;
  const made = markOf(undefined, randomUUID());
  try {
    await marks.insertOne(made);
    return made;
  } catch (error) {
    if (error instanceof DuplicateKey) return firstMark(marks);
    throw error;
  }
}

const markOf = (newest: StoredEvent | undefined, lineage: string): MarkDocument => ({
  _id: 'newest',
  lineage,
  position: newest?.position ?? START,
  event: newest ? { stream: newest.stream, revision: newest.revision, id: newest.id } : null,
  isOther: false,
  mendingSince: null,
});
