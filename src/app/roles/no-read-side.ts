import type { Consequences } from '../../platform/commands/consequences.js';
import { UnavailableError } from '../../platform/kernel/outcome-errors.js';
import { START } from '../../platform/kernel/position.js';
import type { ReadModels } from '../../platform/read-models/read-models.js';
import type { EngineHealth, FollowersReport } from '../health/health.js';
import type { ReadSide } from './read-side.js';

const absent = (): never => {
  throw new UnavailableError('no server keeps documents here');
};

/** Read side of a process that only decides: what follows from its events is the work of servers. */
export class NoReadSide implements ReadSide {
  readonly ahead = null;
  readonly membership = null;
  readonly readModels: ReadModels = {
    collection: absent,
    position: () => START,
    waitFor: async () => {},
    onApplied: () => () => {},
  };
  readonly consequences: Consequences = {
    waitFor: async (position) => position,
    waitForAll: async (position) => position,
  };

  constructor(readonly isShared: boolean) {}

  async start(): Promise<void> {}
  async startConsequences(): Promise<void> {}
  async close(): Promise<void> {}
  directoryChanged(): void {}
  async passedEverywhere(): Promise<void> {}
  async waitForErasure(): Promise<void> {}
  documents(): EngineHealth {
    return { reachable: true, answeredMsAgo: 0 };
  }
  ready(): boolean {
    return false;
  }
  status(): never[] {
    return [];
  }
  followers(): FollowersReport {
    return { passedOver: null, checkpoints: null, verification: null, backup: null };
  }
  async settled(): Promise<void> {}
  async rebuild(): Promise<void> {
    absent();
  }
}
