import { describe, expect, it } from '@jest/globals';
import { buildBegun, type ProjectionRecord, resumed, unbuilt } from '../../../projections/runner/projection-record.js';
import { Registry } from '../../../projections/runner/registry.js';
import { askForRebuild, onRebuildAsked } from '../../../src/app/roles/shared-rebuild.js';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { eventually } from '../../support/eventually.js';
import { withSharedDocuments } from '../../support/processes.js';
import { roster } from '../../support/roster-projections.js';
import { withScratch } from '../../support/scratch.js';

it('a rebuild fails with the reason when its process has stopped and another has taken over', () =>
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
      await registry.put({ ...resumed(building, 3), token: 2 });
    };
    try {
      const rebuilt = expect(askForRebuild({ bus, documentStore }, [roster.name], () => {})).rejects.toThrow(
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
      await registry.put(buildBegun(unbuilt(roster, 1), roster, 2));
      let isOver = false;
      const rebuilt = unheard(store, 300).finally(() => {
        isOver = true;
      });
      const until = performance.now() + 1200;
      await eventually(() => expect(performance.now()).toBeGreaterThan(until));
      expect(isOver).toBe(false);
      await registry.put(resumed(buildBegun(unbuilt(roster, 1), roster, 2), 3));
      await expect(rebuilt).rejects.toThrow('not built anew');
    }));
});
