import type { FactoryProvider } from '@nestjs/common';
import { DOCUMENT_STORE, type DocumentStore } from '../../../platform/documents/document-store.js';
import { ANSWER_WAIT } from '../../../platform/kernel/answer-wait.js';
import { PublishedCheckpoint } from '../../../platform/transparency/published-checkpoint.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';

export const publishedTree: FactoryProvider<Promise<PublishedTree>> = {
  provide: PublishedTree,
  inject: [DOCUMENT_STORE, ANSWER_WAIT],
  useFactory: (store: DocumentStore, longestWait: number) => PublishedTree.open(store, longestWait),
};

export const publishedCheckpoint: FactoryProvider<Promise<PublishedCheckpoint>> = {
  provide: PublishedCheckpoint,
  inject: [DOCUMENT_STORE],
  useFactory: (store: DocumentStore) => PublishedCheckpoint.open(store),
};
