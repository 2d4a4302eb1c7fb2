import { describe, expect, it } from '@jest/globals';
import { beginEffects } from '../../../src/app/roles/log-consumers.js';
import { REACTORS_DATABASE } from '../../../src/platform/consumers/reactors.js';
import type { DocumentDatabase, DocumentStore } from '../../../src/platform/documents/document-store.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { START } from '../../../src/platform/kernel/position.js';
import { isShared, withOwnEngines } from '../../support/engines/own-engines.js';
import { override } from '../../support/override.js';

/** A store that lets another process act after each look at a checkpoint. */
function withOthersAfterLooks(store: DocumentStore, act: () => Promise<unknown>): DocumentStore {
  const watched = (database: DocumentDatabase): DocumentDatabase =>
    override(database, {
      async checkpoint() {
        const seen = await database.checkpoint();
        await act();
        return seen;
      },
    });
  return override(store, { database: async (name) => watched(await store.database(name)) });
}

/** Embedded, there is one process. */
(isShared() ? describe : describe.skip)('the beginning of mails and push notifications', () => {
  it('is stored, although a worker of another process stores it after this one has looked', () =>
    withOwnEngines(async ({ settings }) => {
      const [own, other] = [await openEngines(settings), await openEngines(settings)];
      try {
        await beginEffects(withOthersAfterLooks(own.documentStore, () => beginEffects(other.documentStore)));
        const database = await own.documentStore.database(REACTORS_DATABASE);
        expect(await database.checkpoint()).toBe(START);
        await database.close();
      } finally {
        await own.close();
        await other.close();
      }
    }));
});
