import { expect, it } from '@jest/globals';
import { buildBegun, type ProjectionRecord, resumed, unbuilt } from '../../projections/runner/projection-record.js';
import { Registry } from '../../projections/runner/registry.js';
import { InProcessBus } from '../../src/bus/in-process/in-process-bus.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import { askForRebuild, onRebuildAsked } from '../../src/roles/shared-rebuild.js';
import { roster } from '../support/roster-projections.js';
import { withScratch } from '../support/scratch.js';

it('a rebuild says that the process that ran it has stopped, where another one has taken over', () =>
  withScratch(async (folder) => {
    const [documentStore, bus] = [await SqliteDocumentStore.open(folder), new InProcessBus()];
    const registry = await Registry.open(documentStore);
    const building: ProjectionRecord = { ...buildBegun(unbuilt(roster, 1), roster, 2), token: 1 };
    const stop = onRebuildAsked(bus, () => registry.put(building));
    const takenOver = async (): Promise<void> => {
      while (!(await registry.load(roster.name))) await new Promise(setImmediate);
      // Not before it has been seen building: it looks four times a second.
      setTimeout(() => void registry.put({ ...resumed(building, 3), token: 2 }), 1000);
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
