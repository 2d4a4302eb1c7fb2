import type { FactoryProvider } from '@nestjs/common';
import { DOCUMENT_STORE, type DocumentStore } from '../../../platform/documents/document-store.js';
import { PublishedCheckpoint } from '../../../platform/transparency/published-checkpoint.js';

export const publishedCheckpoint: FactoryProvider<Promise<PublishedCheckpoint>> = {
  provide: PublishedCheckpoint,
  inject: [DOCUMENT_STORE],
  useFactory: (store: DocumentStore) => PublishedCheckpoint.open(store),
};
