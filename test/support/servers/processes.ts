import type { ProcessRole } from '../../../src/platform/cluster/process.documents.js';
import { ProcessRegistry } from '../../../src/platform/cluster/process-registry.js';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { withScratch } from '../scratch.js';

/** Time for which a silent process counts as alive: ms of the specs' clocks. */
export const ALIVE_FOR = 3000;

/** A process with a clock set by hand. It can be cut off from the shared documents. */
export class TestProcess {
  now = 0;
  cutOff = false;
  lapses = 0;
  readonly reported: unknown[] = [];
  directory: Position | null = null;
  keeps = true;

  private constructor(
    readonly store: DocumentStore,
    private joined: ProcessRegistry | null,
  ) {}

  get registry(): ProcessRegistry {
    if (!this.joined) throw new Error('the process has not joined');
    return this.joined;
  }

  static async join(store: DocumentStore, role: ProcessRole = 'both'): Promise<TestProcess> {
    const one = new TestProcess(store, null);
    const { database, ...rest } = { ...store, database: store.database.bind(store) };
    const cuttable: DocumentStore = {
      ...rest,
      databases: () => store.databases(),
      dropDatabase: (name) => store.dropDatabase(name),
      rowsExamined: () => store.rowsExamined(),
      close: () => store.close(),
      database: async (name) => {
        const opened = await database(name);
        return new Proxy(opened, {
          get: (target, property) => {
            if (one.cutOff) throw new Error('cut off');
            const value: unknown = Reflect.get(target, property);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      },
    };
    one.joined = await ProcessRegistry.open({
      documentStore: cuttable,
      role,
      directory: () => one.directory,
      keeps: () => role !== 'api' && one.keeps,
      beatEvery: 5,
      aliveFor: ALIVE_FOR,
      onLapse: () => one.lapses++,
      report: (error) => one.reported.push(error),
      clock: () => one.now,
    });
    return one;
  }

  /** Stops the process's heartbeats. */
  close(): Promise<void> {
    this.cutOff = false;
    return this.registry.close();
  }
}

/** Runs `work` with documents that several processes share. */
export const withSharedDocuments = (
  work: (store: DocumentStore, join: (role?: ProcessRole) => Promise<TestProcess>) => Promise<void>,
): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    const joined: TestProcess[] = [];
    try {
      await work(store, async (role) => {
        const one = await TestProcess.join(store, role);
        joined.push(one);
        return one;
      });
    } finally {
      for (const one of joined) await one.close();
      await store.close();
    }
  });
