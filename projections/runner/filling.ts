import type { Batch } from '../../src/event-store/event-store.js';
import type { DecodedBatch } from './decode-batch.js';
import type { Generation } from './generation.js';
import { persist } from './persist.js';

/** A stretch of the log. */
export interface Page extends Batch {
  readonly batch: DecodedBatch;
}

/** A generation on its way through the log: while one page is written, what the next one changes is worked out. */
export class Filling {
  /** What is being written. */
  private last: { readonly page: Page; readonly written: Promise<void> } | null = null;

  constructor(readonly generation: Generation) {}

  /**
   * Resolves when it is known what the page changes, and the one before it is stored.
   * @throws ApplyFailed: those before the event are stored
   */
  async take(page: Page): Promise<void> {
    const before = this.last;
    this.last = null;
    const [begun, stored] = await Promise.allSettled([
      this.generation.begin(page.batch, page.position),
      before?.written,
    ]);
    if (begun.status === 'fulfilled' && stored.status === 'fulfilled') this.last = { page, ...begun.value };
    else await this.again(before ? [before.page, page] : [page]);
  }

  /** Resolves when everything that was taken is stored, and closes it. @throws as `take` */
  async finish(): Promise<void> {
    const { last, generation } = this;
    this.last = null;
    const stored = last === null || (await last.written.then(() => true).catch(() => false));
    if (!stored) await this.again([last.page]);
    await persist(() => generation.storeCheckpoint());
    await generation.close();
  }

  /** One after the other, and as often as an engine is away: what is wrong with an event shows again. */
  private async again(pages: readonly Page[]): Promise<void> {
    for (const { batch, position } of pages) {
      await persist(async () => {
        await this.generation.recover();
        await this.generation.apply(batch, position);
      });
    }
  }
}
