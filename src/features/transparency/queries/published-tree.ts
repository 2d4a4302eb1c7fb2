import type { FactoryProvider } from '@nestjs/common';
import { DOCUMENT_STORE, type DocumentStore } from '../../../platform/documents/document-store.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';

export const publishedTree: FactoryProvider<Promise<PublishedTree>> = {
  provide: PublishedTree,
  inject: [DOCUMENT_STORE],
  useFactory: (store: DocumentStore) => PublishedTree.open(store),
};
