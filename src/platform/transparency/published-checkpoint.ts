import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import { ALARMS, type AlarmDocument, CHECKPOINTS_DATABASE, checkpointCollections } from './checkpoint.documents.js';
import { HEADS, type HeadDocument, TREE_DATABASE, treeCollections } from './tree.documents.js';

/** State of the signed checkpoints, for monitoring. */
export interface CheckpointsReport {
  /** Number of events in the newest one; null: the present log is not signed. */
  readonly size: number | null;
  /** Why checkpoints are not signed. */
  readonly alarms: readonly string[];
}

/** The checkpoint that others get. */
export class PublishedCheckpoint {
  private constructor(
    private readonly tree: DocumentDatabase,
    private readonly checkpoints: DocumentDatabase,
  ) {}

  static async open(store: DocumentStore): Promise<PublishedCheckpoint> {
    const tree = await store.database(TREE_DATABASE);
    await tree.ensure(treeCollections);
    const checkpoints = await store.database(CHECKPOINTS_DATABASE);
    await checkpoints.ensure(checkpointCollections);
    return new PublishedCheckpoint(tree, checkpoints);
  }

  /** The signed note; null: there is none, or none may be signed. */
  async note(): Promise<string | null> {
    return (await this.head())?.note ?? null;
  }

  /** Why no checkpoint is signed. */
  async alarms(): Promise<readonly string[]> {
    const verifier = (await this.head())?.verifier ?? null;
    if (verifier === null) return [];
    const alarms = await this.checkpoints.collection<AlarmDocument>(ALARMS).find({ verifier });
    return alarms.map(({ reason }) => reason);
  }

  async report(): Promise<CheckpointsReport | null> {
    const head = await this.head();
    return head && { size: head.note === null ? null : head.size, alarms: await this.alarms() };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.tree.close();
    await this.checkpoints.close();
  }

  private head(): Promise<HeadDocument | null> {
    return this.tree.collection<HeadDocument>(HEADS).findOne({ _id: 'head' });
  }
}

/** Reads the state of the checkpoints; null before there is any. */
export async function checkpointsIn(store: DocumentStore): Promise<CheckpointsReport | null> {
  const published = await PublishedCheckpoint.open(store);
  try {
    return await published.report();
  } finally {
    await published.onApplicationShutdown();
  }
}
