import { Logger } from '@nestjs/common';
import { Fenced } from '../../src/platform/cluster/fence.js';
import type { DocumentStore } from '../../src/platform/documents/document-store.js';
import { pause } from '../../src/platform/kernel/pause.js';
import type { Generation } from './generation.js';
import type { LiveProjection } from './live-projection.js';
import { isDatabaseOf, type ProjectionRecord, removed, replacedIn, withReplaced } from './projection-record.js';

/** Time between two attempts to remove a database: ms. */
const AGAIN_MS = 2000;

interface RemovalsOptions {
  readonly documentStore: DocumentStore;
  /** Milliseconds for which other processes may still read replaced documents. */
  readonly keepReplacedFor: number;
  readonly now: () => number;
  /** Stores a transition of a projection's record. */
  readonly keep: (live: LiveProjection, transition: (record: ProjectionRecord) => ProjectionRecord) => Promise<void>;
}

/**
 * Removes replaced documents. The projection's record lists them: the next process that keeps the projection goes on,
 * and a deletion waits for their removal (D7), because nothing is deleted in them any more.
 */
export class Removals {
  private readonly log = new Logger('Projections');
  private readonly running = new Set<string>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: RemovalsOptions) {}

  /**
   * Removes unused databases of a projection that this process begins to keep: databases that the record lists,
   * unfinished ones that nobody goes on with, and databases that could not be opened.
   * @param found names of all databases
   */
  async takeOver(live: LiveProjection, found: readonly string[]): Promise<void> {
    const { keep, now, keepReplacedFor } = this.options;
    const { projection, record } = live;
    const used = [record.live?.name, record.building?.name];
    const left = found.filter((name) => isDatabaseOf(projection, name) && !used.includes(name));
    await keep(live, (before) => withReplaced(before, left, now() + keepReplacedFor));
    await this.remove(live);
  }

  /**
   * Removes the listed databases, now or as soon as no other process can be reading them.
   * @param open a generation that is open on one of the databases
   */
  async remove(live: LiveProjection, open: Generation | null = null): Promise<void> {
    const { keepReplacedFor, now } = this.options;
    for (const { name, readUntil } of replacedIn(live.record)) {
      if (this.running.has(name)) continue;
      this.running.add(name);
      const generation = open?.name === name ? open : null;
      // The time may come from another process's clock.
      const readFor = Math.min(Math.max(readUntil - now(), 0), keepReplacedFor);
      if (readFor > 0 || !(await this.removed(live, name, generation)))
        void this.removeLater(live, name, generation, readFor || AGAIN_MS);
    }
  }

  /** Stops. The next process that keeps the projection removes the rest. */
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
      await pause(wait, signal, { ref: false });
      if (signal.aborted) return generation?.close();
      if (await this.removed(live, name, generation)) return;
    }
  }

  /** @returns false if the removal must be tried again */
  private async removed(live: LiveProjection, name: string, generation: Generation | null): Promise<boolean> {
    const { documentStore, keep } = this.options;
    try {
      await generation?.close();
      // Another process may keep the projection now, and go on with a build that this one has given up. A record that
      // can be stored shows that none does.
      if (!generation) await keep(live, (record) => (record.token === undefined ? record : { ...record }));
      // A name may be in use again after the registry was lost.
      const isUsed = live.record.live?.name === name || live.record.building?.name === name;
      if (!isUsed) await documentStore.dropDatabase(name);
      await keep(live, (record) => removed(record, name));
    } catch (error) {
      // Another process keeps the projection now, and removes the database.
      if (!(error instanceof Fenced)) {
        this.log.warn(`${name} could not be removed, trying again: ${String(error)}`);
        return false;
      }
    }
    this.running.delete(name);
    return true;
  }
}
