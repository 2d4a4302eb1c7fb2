import { directoryEventTypes } from '../../../src/directory/directory.changes.js';
import { type Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import type { Batch, EventStore } from '../../../src/platform/log/event-store.js';

/** A log that can be slow for one process: events reach its directory late, and appends to a stream return late. */
export class HeldLog {
  private directory: Deferred<void> | null = null;
  private readonly appends = new Map<string, Deferred<void>>();
  /** Number of appends that are held. */
  held = 0;

  holdDirectory(): void {
    this.directory = new Deferred();
  }

  holdAppends(stream: string): void {
    this.appends.set(stream, new Deferred());
  }

  release(): void {
    this.directory?.resolve();
    this.directory = null;
    for (const [stream, held] of this.appends) {
      this.appends.delete(stream);
      held.resolve();
    }
  }

  /** Opens engines with this log. */
  readonly open: typeof openEngines = async (settings): Promise<Engines> => {
    const engines = await openEngines(settings);
    return { ...engines, eventStore: this.before(engines.eventStore) };
  };

  private before(store: EventStore): EventStore {
    const log = this;
    return {
      idMemory: store.idMemory,
      get knownHead() {
        return store.knownHead;
      },
      async append(stream, events, expected) {
        const held = log.appends.get(stream);
        if (held) {
          log.held += 1;
          await held.promise;
          log.held -= 1;
        }
        return store.append(stream, events, expected);
      },
      readStream: (stream, options) => store.readStream(stream, options),
      readAll: (options) => store.readAll(options),
      async *subscribe(options): AsyncGenerator<Batch> {
        for await (const batch of store.subscribe(options)) {
          if (options.filter?.types === directoryEventTypes) await log.directory?.promise;
          yield batch;
        }
      },
      head: () => store.head(),
      close: () => store.close(),
    };
  }
}
