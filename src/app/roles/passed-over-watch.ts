import { Logger } from '@nestjs/common';
import { CONSEQUENCES_DATABASE } from '../../platform/commands/consequences.js';
import { ERASURE_DATABASE } from '../../platform/consumers/erased-content.js';
import { type PassedOverReport, passedOverIn } from '../../platform/consumers/passed-over.js';
import { REACTORS_DATABASE } from '../../platform/consumers/reactors.js';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import { PeriodicTask } from '../../platform/kernel/periodic-task.js';
import { followers } from '../features.js';

const DATABASES = [
  CONSEQUENCES_DATABASE,
  REACTORS_DATABASE,
  ERASURE_DATABASE,
  ...followers.map(({ database }) => database),
];
const LOOK_EVERY_MS = 5_000;
const MOST_SHOWN = 20;

/** Looks at the events that followers of the log have passed over, whichever process runs the followers. */
export class PassedOverWatch {
  private known: PassedOverReport | null = null;
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

  /** null before the first look. */
  get report(): PassedOverReport | null {
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
      this.known = await passedOverIn(documentStore, DATABASES, MOST_SHOWN);
      this.isReported = false;
    } catch (error) {
      if (this.looking.isStopped || this.isReported) return;
      this.isReported = true;
      new Logger('Health').warn(`events that were passed over cannot be counted: ${String(error)}`);
    }
  }
}
