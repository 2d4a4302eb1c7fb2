import { Worker } from 'node:worker_threads';
import type { EngineSettings } from '../../platform/engines/engines.js';
import { threadEntry } from '../../platform/threads/thread-entry.js';
import type { Chunk, ChunkReport } from './chunk.js';

/** What a thread is told at its start. */
export interface ChunkWork {
  readonly settings: EngineSettings;
  /** Whether content is opened with its key. */
  readonly opensContent: boolean;
}

/** What a thread answers with. */
export type ChunkAnswer = { readonly report: ChunkReport } | { readonly error: string };

/** Of a thread. Less has no room for the texts of a part. */
const YOUNG_MIB = 96;

/** Threads that compare parts of the log with its tree, each with engines of its own. */
export class ChunkThreads {
  private readonly idle: Worker[];
  private readonly all: readonly Worker[];

  constructor(count: number, work: ChunkWork) {
    const entry = threadEntry('src/app/verify/chunk.thread.js');
    this.all = Array.from(
      { length: count },
      () => new Worker(entry, { workerData: work, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } }),
    );
    this.idle = [...this.all];
  }

  /**
   * Compares the parts, several at once, and hands on the reports in the order of the parts.
   * @param take rejects or throws to end the work
   */
  async compare(chunks: Iterable<Chunk>, take: (report: ChunkReport, chunk: Chunk) => Promise<void>): Promise<void> {
    const waiting: { readonly chunk: Chunk; readonly report: Promise<ChunkReport> }[] = [];
    const takeNext = async (): Promise<void> => {
      const next = waiting.shift();
      if (next) await take(await next.report, next.chunk);
    };
    try {
      for (const chunk of chunks) {
        const worker = this.idle.pop();
        if (!worker) throw new Error('no thread is idle');
        waiting.push({ chunk, report: this.ask(worker, chunk) });
        while (this.idle.length === 0) await takeNext();
      }
      while (waiting.length > 0) await takeNext();
    } finally {
      // Nobody hears of the others.
      for (const { report } of waiting) report.catch(() => {});
    }
  }

  async close(): Promise<void> {
    await Promise.all(
      this.all.map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.once('exit', () => resolve());
            // Avoids `terminate()`: SQLite's binding aborts the process if a thread ends within a call.
            worker.postMessage(null);
          }),
      ),
    );
  }

  private ask(worker: Worker, chunk: Chunk): Promise<ChunkReport> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        worker.removeAllListeners('message').removeAllListeners('error');
        this.idle.push(worker);
        act();
      };
      worker.once('message', (answer: ChunkAnswer) =>
        settle(() => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.report))),
      );
      worker.once('error', (error) => settle(() => reject(error)));
      worker.postMessage(chunk);
    });
  }
}
