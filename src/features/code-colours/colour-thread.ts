import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { AwakeTimer } from '../../platform/kernel/awake-time.js';
import { Deferred } from '../../platform/kernel/deferred.js';
import { threadEntry } from '../../platform/threads/thread-entry.js';
import type { CodeBlock } from '../markdown/code-facts.js';
import type { Token } from '../markdown/token.js';
import { type FromColours, READY, type ToColours } from './colours-protocol.js';

/** Heap of the thread: a grammar that needs more ends it. */
const HEAP_MIB = 128;

/** A thread that colours code. It works on one request at a time, and ends within one that takes too long. */
export class ColourThread {
  private readonly worker = new Worker(threadEntry('src/features/code-colours/colours.thread.js'), {
    name: 'code colours',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  private readonly exit = once(this.worker, 'exit');
  /** Whether the thread takes blocks; false if it has ended before it did. */
  readonly ready: Promise<boolean>;

  constructor() {
    this.worker.unref();
    // Without a listener the thread's error would end the process; the exit follows it.
    this.worker.on('error', ({ message }) => new Logger('CodeColouring').warn(`The thread ended: ${message}`));
    const first = once(this.worker, 'message').then(([message]) => message === READY);
    this.ready = Promise.race([first, this.exit.then(() => false)]);
  }

  /**
   * Colours blocks in their order.
   *
   * @param limit milliseconds that it may take
   * @param onColoured called for each block
   * @returns whether all blocks were coloured; if not, the thread ends
   */
  async colour(
    blocks: readonly CodeBlock[],
    limit: number,
    onColoured: (tokens: readonly Token[] | null) => void,
  ): Promise<boolean> {
    let answered = 0;
    const over = new Deferred<void>();
    const listener = (message: FromColours): void => {
      if (message === READY) return;
      onColoured(message);
      answered += 1;
      if (answered === blocks.length) over.resolve();
    };
    this.worker.on('message', listener);
    const timer = new AwakeTimer(limit, () => {
      over.resolve();
      void this.end();
    });
    this.worker.postMessage(blocks satisfies ToColours);
    await Promise.race([over.promise, this.exit]);
    timer.clear();
    this.worker.off('message', listener);
    return answered === blocks.length;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
