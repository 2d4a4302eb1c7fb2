import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engines } from '../config/engines.js';
import {
  type Collection,
  type CollectionSpec,
  type DocumentDatabase,
  DuplicateKey,
  type StoredCheckpoint,
  type StoredDocument,
} from '../document-store/document-store.js';
import { EVENT_QUEUES_STREAM } from '../event-queues/domain/event-queues.events.js';
import { EventStoreUnavailable, LogReplaced, type StoredEvent } from '../event-store/event-store.js';
import type { EventPlace } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { MESSAGES_STREAM } from '../messages/domain/messages.events.js';
import { USERS_STREAM } from '../users/domain/users.events.js';

interface MarkDocument extends StoredDocument {
  readonly _id: 'newest';
  /** Of the log that the documents are made from: another one after what was made of an earlier log is taken away. */
  readonly lineage: string;
  /** Of the event that was the newest; START where there was none. */
  readonly position: Position;
  readonly event: { readonly stream: string; readonly revision: number; readonly id: string } | null;
  /** A process has found the log to be another one. */
  readonly isOther: boolean;
  /** Since when a process takes away what was made of another log: ms since 1970. */
  readonly mendingSince: number | null;
}

export const LOG_MARK_DATABASE = 'log-mark';
const collections: Readonly<Record<string, CollectionSpec>> = { mark: {} };
const LOOK_EVERY_MS = 1000;
/** One after the other: a replica that answers may be a little behind. */
const MISSES_TO_BE_SURE = 3;

/** Whatever happens shows in one of them before long. */
const STREAMS = [MESSAGES_STREAM, EVENT_QUEUES_STREAM, USERS_STREAM];

/**
 * Finds out a log that was restored from a backup, also where it has grown since: documents, places in it and answers
 * would be another log's. Checkpoints tell which event was the last that is in the documents; which one was the newest,
 * be it in any or not, is noted beside them every second and at the end.
 */
export class LogMark {
  /** Resolves when the log is found to be another one: what this process remembers of it is worth nothing. */
  readonly lost: Promise<string>;
  private tellLost: (why: string) => void = () => {};
  private isLost = false;
  private misses = 0;
  private isReplaced = false;
  private readonly stopping = new AbortController();
  private looking: Promise<void> = Promise.resolve();

  private constructor(
    private readonly engines: Pick<Engines, 'eventStore'>,
    private readonly database: DocumentDatabase,
    private mark: MarkDocument,
    private readonly checkpoints: readonly StoredCheckpoint[],
    private readonly isShared: boolean,
    private readonly report: (error: unknown) => void,
  ) {
    this.lost = new Promise((resolve) => {
      this.tellLost = resolve;
    });
  }

  static async open(
    engines: Pick<Engines, 'eventStore' | 'documentStore'>,
    { isShared, report }: { readonly isShared: boolean; readonly report: (error: unknown) => void },
  ): Promise<LogMark> {
    const database = await engines.documentStore.database(LOG_MARK_DATABASE);
    await database.ensure(collections);
    // Before the mark is read: whoever takes them away says so in it first.
    const checkpoints = await engines.documentStore.checkpoints();
    return new LogMark(engines, database, await firstMark(marksIn(database)), checkpoints, isShared, report);
  }

  /** Whether the log is the one that the documents were made from. @throws EventStoreUnavailable */
  async holds(): Promise<boolean> {
    if (isLeft(this.mark)) return false;
    for (let misses = 0; misses < MISSES_TO_BE_SURE; misses += 1) {
      if (misses > 0) await sleep(LOOK_EVERY_MS);
      if ((await this.isIn(this.mark)) && (await this.holdsCheckpoints())) return true;
    }
    return false;
  }

  /** The newest event that any of them was stored with stands for those of all others: they lie before it. */
  private async holdsCheckpoints(): Promise<boolean> {
    const { eventStore } = this.engines;
    const [newest] = this.checkpoints.flatMap(({ event }) => event ?? []).sort((a, b) => b.position - a.position);
    if (newest && !(await this.isThere(newest))) return false;
    // Older ones were stored without an event, and where others append too, their position may be one of an event of theirs.
    if (this.isShared) return true;
    const head = await eventStore.head();
    return this.checkpoints.every(({ position }) => position <= head);
  }

  /**
   * It looks like another log, and is being looked at again. One look that misses what another process has noted says
   * little: a replica may have answered.
   */
  get isInDoubt(): boolean {
    return this.isReplaced || this.misses > 1;
  }

  /** From then on the newest event is noted, and the log is watched. */
  start(): void {
    this.looking = this.keepLooking();
  }

  /**
   * Of all processes that find another log, one takes away what was made of the earlier one.
   * @param patience milliseconds for which another one may be at it
   * @returns false where another one is
   */
  async claim(patience: number): Promise<boolean> {
    const { mendingSince } = this.mark;
    if (mendingSince !== null && Date.now() - mendingSince < patience) return false;
    return this.replace({ ...this.mark, mendingSince: Date.now() });
  }

  /** What there is now goes by this log: processes that went by the earlier one find that out. */
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
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      // Once more at the end, so that what is noted is as new as the documents; of engines that are away, nothing is expected.
      if (signal.aborted && hasFailed) return;
      try {
        await this.look();
        hasFailed = false;
      } catch (error) {
        // Of a log that is away, others tell.
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
    // After the newest event was looked for: that is then of the log that the mark is in.
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

  /** @returns 'replaced' where the log does not have what this process has heard of since the last look */
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
    this.tellLost(new LogReplaced().message);
  }

  /** Unless another process has replaced it since this one read it. */
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
    return event === null || this.isThere({ ...event, position });
  }

  private async isThere({ stream, revision, id, position }: EventPlace): Promise<boolean> {
    // Two, so that the answer is the log's, and not a memory of it.
    const [found] = await this.engines.eventStore.readStream(stream, { from: revision, limit: 2 });
    return found?.id === id && found.position === position;
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

/** It is known already that the log is another one. */
const isLeft = ({ isOther, mendingSince }: MarkDocument): boolean => isOther || mendingSince !== null;

/** The one that is there; where there is none, one of an empty log, which every log goes on from. */
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
