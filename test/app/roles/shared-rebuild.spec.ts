import { describe, expect, it } from '@jest/globals';
import {
  buildBegun,
  type ProjectionRecord,
  resumed,
  switched,
  unbuilt,
} from '../../../projections/runner/projection-record.js';
import { Registry } from '../../../projections/runner/registry.js';
import { askForRebuild, onRebuildAsked } from '../../../src/app/roles/asked-rebuilds.js';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { eventually } from '../../support/eventually.js';
import { roster } from '../../support/projections/roster-projections.js';
import { withScratch } from '../../support/scratch.js';
import { withSharedDocuments } from '../../support/servers/processes.js';

const HOUR_MS = 3_600_000;

/** Another process keeps the projection, and has not gone on with its build. */
const givenUp = (building: ProjectionRecord): ProjectionRecord => ({
  ...building,
  state: 'running',
  building: null,
  token: 2,
});

it('a rebuild fails with the reason when its process has stopped and another has taken over without it', () =>
  withScratch(async (folder) => {
    const [documentStore, bus] = [await SqliteDocumentStore.open(folder), new InProcessBus()];
    const registry = await Registry.open(documentStore);
    const building: ProjectionRecord = { ...buildBegun(unbuilt(roster, 1), roster, 2), token: 1 };
    let examined = Number.POSITIVE_INFINITY;
    const stop = onRebuildAsked(bus, async () => {
      await registry.put(building);
      ({ examined } = documentStore.rowsExamined());
    });
    const takenOver = async (): Promise<void> => {
      // The rebuild has seen the record as building: nobody else reads.
      await eventually(() => expect(documentStore.rowsExamined().examined).toBeGreaterThan(examined));
      await registry.put(givenUp(building));
    };
    try {
      const rebuilt = expect(askForRebuild({ bus, documentStore }, [roster.name], () => {}, HOUR_MS)).rejects.toThrow(
        'roster: the process that built it has stopped',
      );
      await takenOver();
      await rebuilt;
    } finally {
      stop();
      await documentStore.close();
    }
  }));

describe('a rebuild that no worker answers', () => {
  const unheard = (documentStore: DocumentStore, patience: number): Promise<void> =>
    askForRebuild({ bus: new InProcessBus(), documentStore }, [roster.name], () => {}, patience);

  it('fails and says what to start, even if a process answers clients', () =>
    withSharedDocuments(async (store, join) => {
      await join('api');
      await expect(unheard(store, 300)).rejects.toThrow('start one with "annals projections"');
    }));

  it('fails with the names of the projections that a stopped worker has left unfinished', () =>
    withSharedDocuments(async (store) => {
      const registry = await Registry.open(store);
      await registry.put(buildBegun(unbuilt(roster, 1), roster, 2));
      await expect(unheard(store, 300)).rejects.toThrow('left unfinished: roster');
    }));

  it('goes on waiting while a worker is alive', () =>
    withSharedDocuments(async (store, join) => {
      await join('projections');
      const registry = await Registry.open(store);
      await registry.put({ ...buildBegun(unbuilt(roster, 1), roster, 2), token: 1 });
      let isOver = false;
      const rebuilt = unheard(store, HOUR_MS).finally(() => {
        isOver = true;
      });
      // Another process goes on with the build.
      const goesOn = resumed(buildBegun(unbuilt(roster, 1), roster, 2), 3);
      await registry.put({ ...goesOn, token: 2 });
      const { examined } = store.rowsExamined();
      await eventually(() => expect(store.rowsExamined().examined).toBeGreaterThan(examined + 3));
      expect(isOver).toBe(false);
      await registry.put(switched({ ...goesOn, token: 2 }, 4, 0));
      await rebuilt;
    }));
});
