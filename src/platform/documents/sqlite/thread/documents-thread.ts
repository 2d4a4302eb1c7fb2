import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Deferred } from '../../../kernel/deferred.js';
import { threadEntry } from '../../../threads/thread-entry.js';
import { DocumentStoreUnavailable, type WholeWrite, type WriteResult } from '../../document-store.js';
import { CLOSE, type ThreadAnswer, type ThreadData, type ThreadRequest, uncarried } from './thread-protocol.js';

interface Waiting {
  readonly request: ThreadRequest;
  readonly resolve: (results: readonly WriteResult[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that writes documents, so that their indexes, words and commits take no time from requests. The caller writes
 * one database in turns: what it writes itself never meets the thread's writes.
 */
export class DocumentsThread {
  /** null: the thread has ended, or has not begun. */
  private worker: Worker | null = null;
  private ready = false;
  private readonly beginning = new Deferred<void>();
  /** What the thread has not answered yet: the last ones are not sent yet, either. */
  private readonly waiting: Waiting[] = [];
  private unsent = 0;

  constructor(private readonly data: ThreadData) {
    this.begin();
  }

  /** False while it loads its code: until then, its work is done sooner elsewhere. */
  get isReady(): boolean {
    return this.ready;
  }

  /** Resolves when it is ready, or has ended. */
  get begins(): Promise<void> {
    return this.beginning.promise;
  }

  /** @throws what `DocumentDatabase.write` throws. If the thread ends, the write may be stored */
  write(database: string, write: WholeWrite): Promise<readonly WriteResult[]> {
    return this.ask({ database, write: JSON.stringify(write) });
  }

  /** Resolves when the thread has closed the database's file. */
  async closeDatabase(database: string): Promise<void> {
    if (this.ready) await this.ask({ database, write: null });
  }

  /** Ends the thread. Its databases must be closed. Requests of this turn of the event loop fail. */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    const exit = once(worker, 'exit');
    worker.ref();
    // Avoids `terminate()`: SQLite's binding aborts the process if a thread ends within a call.
    worker.postMessage(CLOSE);
    await exit;
  }

  private ask(request: ThreadRequest): Promise<readonly WriteResult[]> {
    if (!this.worker) return Promise.reject(new DocumentStoreUnavailable('the thread that writes documents has ended'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      // One message for all requests of a turn of the event loop: each message wakes the thread, which costs both.
      if (this.unsent++ === 0) setImmediate(() => this.send());
    });
  }

  private send(): void {
    const { worker, waiting, unsent } = this;
    this.unsent = 0;
    if (!worker) return;
    worker.ref();
    worker.postMessage(waiting.slice(-unsent).map(({ request }) => request));
  }

  private begin(): void {
    const worker = new Worker(threadEntry('src/platform/documents/sqlite/thread/documents.thread.js'), {
      workerData: this.data,
      name: 'documents',
    });
    this.worker = worker;
    worker.unref();
    worker.on('message', (message: readonly ThreadAnswer[] | 'ready') => {
      if (message !== 'ready') return this.receive(message);
      this.ready = true;
      this.beginning.resolve();
    });
    worker.on('error', (error) => this.ended(error.message));
    worker.on('exit', () => this.ended('it has ended'));
  }

  private receive(answers: readonly ThreadAnswer[]): void {
    const answered = this.waiting.splice(0, answers.length);
    if (this.waiting.length === 0) this.worker?.unref();
    answered.forEach(({ request, resolve, reject }, at) => {
      const answer = answers[at];
      if (answer && 'results' in answer) resolve(answer.results);
      else if (answer) reject(uncarried(answer.failure, request.database));
    });
  }

  /** The process writes by itself from now on. */
  private ended(reason: string): void {
    this.worker = null;
    this.ready = false;
    this.beginning.resolve();
    const failure = new DocumentStoreUnavailable(`the thread that writes documents: ${reason}`);
    for (const { reject } of this.waiting.splice(0)) reject(failure);
  }
}
