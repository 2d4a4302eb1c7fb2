import type { Batch } from '../../src/platform/log/event-store.js';
import { Attempts, type AttemptsOptions } from './attempts.js';
import { type DecodedBatch, isTransient } from './decode-batch.js';
import type { Generation } from './generation.js';

/** A range of the log, decoded. */
export interface DecodedPage extends Batch {
  readonly batch: DecodedBatch;
}

/**
 * After so many events, the generation gets its indexes. They are sorted in memory, about 60 bytes a document, and that
 * must not grow with the log.
 */
const MOST_WITHOUT_INDEXES = 1_000_000;

/** Fills a generation from the log. Works out the changes of the next page while a page is written. */
export class PipelinedBuild {
  private events = 0;
  private isComplete = false;
  /** The page being written. */
  private last: { readonly page: DecodedPage; readonly written: Promise<void> } | null = null;

  /** @param onStall hears of pages that fail again and again */
  constructor(
    readonly generation: Generation,
    private readonly onStall: AttemptsOptions['onStall'] = () => {},
  ) {}

  /**
   * Resolves when the page's changes are worked out and the page before is stored.
   * @throws ApplyFailed: the events before the refused event are stored
   */
  async apply(page: DecodedPage): Promise<void> {
    const before = this.last;
    this.last = null;
    const [begun, stored] = await Promise.allSettled([
      this.generation.begin(page.batch, page.position),
      before?.written,
    ]);
    if (begun.status === 'fulfilled' && stored.status === 'fulfilled') this.last = { page, ...begun.value };
    else await this.again(before ? [before.page, page] : [page]);
    this.events += page.events.length;
    if (this.events > MOST_WITHOUT_INDEXES) await this.complete();
  }

  /** Resolves when all taken pages are stored, and closes the generation. @throws as `take` */
  async finish(): Promise<void> {
    const { last, generation } = this;
    this.last = null;
    const stored = last === null || (await last.written.then(() => true).catch(() => false));
    if (!stored) await this.again([last.page]);
    await this.complete();
    await retryWhileUnavailable(() => generation.storeCheckpoint(), this.onStall);
    await generation.close();
  }

  private async complete(): Promise<void> {
    if (this.isComplete) return;
    await retryWhileUnavailable(() => this.generation.complete(), this.onStall);
    this.isComplete = true;
  }

  /** Applies pages one after the other, retrying while an engine is away. A refused event is refused again. */
  private async again(pages: readonly DecodedPage[]): Promise<void> {
    for (const { batch, position } of pages) {
      await retryWhileUnavailable(
        async () => {
          await this.generation.recover();
          await this.generation.apply(batch, position);
        },
        this.onStall,
        () => this.generation.headway,
      );
    }
  }
}

/**
 * Repeats the work while an engine is away or refuses it.
 *
 * @param headway a number that grows with headway: a failure after headway is a first failure
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  onStall: AttemptsOptions['onStall'] = () => {},
  headway: () => number = () => 0,
): Promise<T> {
  const attempts = new Attempts({ onStall });
  for (;;) {
    const before = headway();
    try {
      const result = await work();
      attempts.succeeded();
      return result;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (headway() > before) attempts.succeeded();
      await attempts.failed(error);
    }
  }
}
