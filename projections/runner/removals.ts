import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DocumentStore } from '../../src/document-store/document-store.js';
import { Fenced } from '../../src/processes/fence.js';
import type { Generation } from './generation.js';
import type { LiveProjection } from './live-projection.js';
import { isDatabaseOf, type ProjectionRecord, removed, replacedIn, withReplaced } from './projection-record.js';

/** What could not be removed is tried again: ms. */
const AGAIN_MS = 2000;

export interface RemovalsOptions {
  readonly documentStore: DocumentStore;
  /** Milliseconds for which other processes may still read what has been replaced. */
  readonly keepReplacedFor: number;
  readonly now: () => number;
  /** Stores a transition of a projection's record. */
  readonly keep: (live: LiveProjection, transition: (record: ProjectionRecord) => ProjectionRecord) => Promise<void>;
}

/**
 * Removes documents that have been replaced. Which there still are is in the projection's record, so that whoever keeps
 * the projection next goes on, and that a deletion waits for them (D7): nothing is deleted in them any more.
 */
export class Removals {
  private readonly log = new Logger('Projections');
  private readonly running = new Set<string>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: RemovalsOptions) {}

  /**
   * Of a projection that is taken on: what its record names, and what else there is of it: of builds that were cut short,
   * of documents that could not be opened.
   * @param found names of databases, whoever's they are
   */
  async takeOver(live: LiveProjection, found: readonly string[]): Promise<void> {
    const { keep, now, keepReplacedFor } = this.options;
    const { projection, record } = live;
    const left = found.filter((name) => isDatabaseOf(projection, name) && name !== record.live?.name);
    await keep(live, (before) => withReplaced(before, left, now() + keepReplacedFor));
    await this.remove(live);
  }

  /**
   * Now, or as soon as no other process can be reading it.
   * @param open generation that is open on one of the databases
   */
  async remove(live: LiveProjection, open: Generation | null = null): Promise<void> {
    const { keepReplacedFor, now } = this.options;
    for (const { name, readUntil } of replacedIn(live.record)) {
      if (this.running.has(name)) continue;
      this.running.add(name);
      const generation = open?.name === name ? open : null;
      // Another process has written down the time, by a clock of its own.
      const readFor = Math.min(Math.max(readUntil - now(), 0), keepReplacedFor);
      if (readFor > 0 || !(await this.removed(live, name, generation)))
        void this.removeLater(live, name, generation, readFor || AGAIN_MS);
    }
  }

  /** What is left then, the next to keep the projection removes. */
  close(): void {
    this.stopping.abort();
  }

  private async removeLater(
    live: LiveProjection,
    name: string,
    generation: Generation | null,
    first: number,
  ): Promise<void> {
    const { signal } = this.stopping;
    for (let wait = first; ; wait = AGAIN_MS) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return generation?.close();
      if (await this.removed(live, name, generation)) return;
    }
  }

  /** @returns false where it is to be tried again */
  private async removed(live: LiveProjection, name: string, generation: Generation | null): Promise<boolean> {
    try {
      await generation?.close();
      // Where the registry was lost, names are given anew.
      const isUsed = live.record.live?.name === name || live.record.building?.name === name;
      if (!isUsed) await this.options.documentStore.dropDatabase(name);
      await this.options.keep(live, (record) => removed(record, name));
    } catch (error) {
      // Whoever keeps the projection now removes it.
      if (!(error instanceof Fenced)) {
        this.log.warn(`${name} could not be removed, trying again: ${String(error)}`);
        return false;
      }
    }
    this.running.delete(name);
    return true;
  }
}
