import { afterAll, beforeAll, describe } from '@jest/globals';
import type { DocumentStore } from '../../src/document-store/document-store.js';
import { matching } from './document-store-matching.contract.js';

export interface OpenedDocumentStore {
  readonly store: DocumentStore;
  /** Closes the store and opens the same documents again. */
  reopen(): Promise<DocumentStore>;
  cleanup(): Promise<void>;
}

/** What every adapter of the DocumentStore port does. */
export function documentStoreContract(name: string, open: () => Promise<OpenedDocumentStore>): void {
  describe(`document store on ${name}`, () => {
    let opened: OpenedDocumentStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.cleanup());
    const store = () => opened.store;

    describe('matching', () => matching(store));
  });
}
