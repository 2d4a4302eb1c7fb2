import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import {
  ALARMS,
  type AlarmDocument,
  alarmIdOf,
  bestCosigned,
  CHECKPOINTS_DATABASE,
  COSIGNED,
  type CosignedDocument,
  checkpointCollections,
  isRecent,
  LOG_ALARM,
  WITNESSES,
  type WitnessDocument,
} from './checkpoint.documents.js';
import { HEADS, type HeadDocument, TREE_DATABASE, treeCollections } from './tree.documents.js';

/** State of the signed checkpoints, for monitoring. */
export interface CheckpointsReport {
  /** Number of events in the newest one; null: the present log is not signed. */
  readonly size: number | null;
  /** What contradicts the checkpoints: the log, which is not signed then, or a witness. */
  readonly alarms: readonly string[];
  readonly witnesses: readonly WitnessReport[];
}

interface WitnessReport {
  readonly name: string;
  /** Number of events in the checkpoint that it has cosigned last; 0: none. */
  readonly size: number;
  /** Why it does not cosign; null: it does. */
  readonly problem: string | null;
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

  /**
   * The newest cosigned note unless it is too old, and otherwise the newest signed one.
   * @returns null: there is none, or none may be signed
   */
  async note(): Promise<string | null> {
    const head = await this.head();
    if (!head || head.note === null || head.verifier === null) return null;
    const { verifier, size, note } = head;
    const cosigned = await this.checkpoints.collection<CosignedDocument>(COSIGNED).find({ verifier });
    const now = Date.now();
    // A tree that is built anew has fewer tiles than there were.
    const served = cosigned.filter((checkpoint) => checkpoint.size <= size && isRecent(checkpoint, now));
    return bestCosigned(served)?.note ?? note;
  }

  /** Why no checkpoint is signed; null: it is not known. */
  async reasonUnsigned(): Promise<string | null> {
    const verifier = (await this.head())?.verifier ?? null;
    if (verifier === null) return null;
    const _id = alarmIdOf(verifier, LOG_ALARM);
    return (await this.checkpoints.collection<AlarmDocument>(ALARMS).findOne({ _id }))?.reason ?? null;
  }

  async report(): Promise<CheckpointsReport | null> {
    const head = await this.head();
    if (!head) return null;
    const verifier = head.verifier ?? '';
    const alarms = await this.checkpoints.collection<AlarmDocument>(ALARMS).find({ verifier });
    const witnesses = await this.checkpoints.collection<WitnessDocument>(WITNESSES).find({ verifier });
    return {
      size: head.note === null ? null : head.size,
      alarms: alarms.map(({ reason }) => reason),
      witnesses: witnesses.map(({ name, size, problem }) => ({ name, size, problem })),
    };
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
