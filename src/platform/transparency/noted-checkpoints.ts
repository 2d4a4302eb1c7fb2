import { setTimeout as sleep } from 'node:timers/promises';
import { WakingLoop } from '../kernel/waking-loop.js';
import type { NotedDocument } from './checkpoint.documents.js';
import type { CheckpointFile } from './checkpoint-file.js';
import type { CheckpointStore } from './checkpoint-store.js';
import type { Head } from './merkle.js';
import type { NoteVerifier } from './signed-note.js';

const LONGEST_STOP_MS = 5_000;
const TRIES_AT_END = 3;
const AGAIN_AT_END_MS = 200;

/** Told of noted checkpoints, one after the other. */
export interface NoteReader {
  /** Must neither throw nor wait. */
  noted(noted: NotedDocument): void;
  close(): Promise<void>;
}

export interface SignedHead {
  readonly head: Head;
  readonly note: string;
}

interface NotedCheckpointsOptions {
  readonly store: CheckpointStore;
  readonly file: CheckpointFile;
  readonly verifier: NoteVerifier;
  readonly readers: readonly NoteReader[];
  /** Milliseconds from one to the next. */
  readonly noteEvery: number;
  readonly report: (problem: string) => void;
}

/**
 * Notes the newest signed checkpoint every now and then if the log has grown, and at the end: in documents, then in the
 * file. What others get is noted first.
 */
export class NotedCheckpoints {
  private readonly loop = new WakingLoop(() => this.noteIfDue());
  private newest: SignedHead | null = null;

  private constructor(
    private readonly options: NotedCheckpointsOptions,
    private last: Pick<NotedDocument, 'size' | 'at'>,
  ) {}

  static async start(options: NotedCheckpointsOptions): Promise<NotedCheckpoints> {
    const { store, file, verifier, readers } = options;
    const newest = await store.newestNoted();
    if (newest) {
      const last = await file.last(verifier);
      // A crash came between, or the file is another one.
      if (!last || last.size < newest.size) await file.append(newest.note);
      for (const reader of readers) reader.noted(newest);
    }
    const noted = new NotedCheckpoints(options, newest ?? { size: 0, at: 0 });
    noted.loop.start();
    return noted;
  }

  /** Notes the checkpoint when its time has come, unless a newer one is offered before. */
  offer(signed: SignedHead): void {
    if (signed.head.size <= this.last.size) return;
    const isFirst = this.newest === null;
    this.newest = signed;
    if (isFirst) this.loop.wake();
  }

  /** Notes the newest checkpoint. */
  async close(): Promise<void> {
    await this.loop.stop(LONGEST_STOP_MS);
    // Documents may be busy for a moment, and there is no next time.
    for (let tries = 1; tries <= TRIES_AT_END; tries++) {
      await this.note();
      if (this.newest === null) return;
      await sleep(AGAIN_AT_END_MS);
    }
  }

  /** @returns milliseconds until it is due */
  private async noteIfDue(): Promise<number> {
    const every = this.options.noteEvery;
    const left = this.last.at + every - Date.now();
    // A clock that was put back holds nothing up.
    if (left > 0 && left <= every) return left;
    await this.note();
    return every;
  }

  private async note(): Promise<void> {
    const { newest } = this;
    if (newest === null) return;
    const { store, file, readers, report } = this.options;
    try {
      const noted = await store.note(newest.head, newest.note);
      this.last = noted;
      if (this.newest === newest) this.newest = null;
      await file.append(noted.note);
      for (const reader of readers) reader.noted(noted);
    } catch (error) {
      report(`a checkpoint is not noted, trying again with the next: ${String(error)}`);
    }
  }
}
