import { Logger } from '@nestjs/common';
import { CONSEQUENCES_DATABASE } from '../../platform/commands/consequences.js';
import { ERASURE_DATABASE } from '../../platform/consumers/erased-content.js';
import { passedOverIn } from '../../platform/consumers/passed-over.js';
import { REACTORS_DATABASE } from '../../platform/consumers/reactors.js';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import { PeriodicTask } from '../../platform/kernel/periodic-task.js';
import { checkpointsIn } from '../../platform/transparency/published-checkpoint.js';
import { lastBackupIn } from '../backup/backup.documents.js';
import { followers } from '../features.js';
import type { FollowersReport } from '../health/health.js';
import { verificationIn } from '../verify/verification.documents.js';

const DATABASES = [
  CONSEQUENCES_DATABASE,
  REACTORS_DATABASE,
  ERASURE_DATABASE,
  ...followers.map(({ database }) => database),
];
const LOOK_EVERY_MS = 5_000;
const MOST_SHOWN = 20;

/** Reads what followers of the log have stored, whichever process runs them. @throws DocumentStoreUnavailable */
export const followersIn = async (documentStore: DocumentStore): Promise<FollowersReport> => ({
  passedOver: await passedOverIn(documentStore, DATABASES, MOST_SHOWN),
  checkpoints: await checkpointsIn(documentStore),
  verification: await verificationIn(documentStore),
  backup: await lastBackupIn(documentStore),
});

/** Looks at what followers of the log have passed over or could not sign, whichever process runs the followers. */
export class FollowersWatch {
  private known: FollowersReport = { passedOver: null, checkpoints: null, verification: null, backup: null };
  private isReported = false;
  private readonly looking: PeriodicTask;

  constructor(documentStore: DocumentStore) {
    this.looking = new PeriodicTask({
      every: LOOK_EVERY_MS,
      firstAfter: 0,
      ref: false,
      work: () => this.look(documentStore),
    });
  }

  get report(): FollowersReport {
    return this.known;
  }

  start(): void {
    this.looking.start();
  }

  async close(): Promise<void> {
    await this.looking.stop();
  }

  private async look(documentStore: DocumentStore): Promise<void> {
    try {
      this.known = await followersIn(documentStore);
      this.isReported = false;
    } catch (error) {
      if (this.looking.isStopped || this.isReported) return;
      this.isReported = true;
      new Logger('Health').warn(`what followers of the log could not do is not known: ${String(error)}`);
    }
  }
}
