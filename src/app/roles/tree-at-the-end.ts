import { Logger } from '@nestjs/common';
import { TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import { Fence } from '../../platform/cluster/fence.js';
import { type Lease, Leases } from '../../platform/cluster/leases.js';
import type { ProcessDocument } from '../../platform/cluster/process.documents.js';
import type { ProcessRegistry } from '../../platform/cluster/process-registry.js';
import { CONSEQUENCES_DATABASE } from '../../platform/commands/consequences.js';
import { pause } from '../../platform/kernel/pause.js';
import { START } from '../../platform/kernel/position.js';
import { lastVerifier } from '../../platform/transparency/claims.js';
import { givenUpCheckpoints } from '../../platform/transparency/given-up.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { openTreeKeeper } from '../features.js';
import { isBehind } from '../verify/events-behind.js';
import type { ConsumerParts } from './log-consumers.js';
import type { LogLineage } from './log-lineage.js';

type TreeAtTheEndParts = Pick<ConsumerParts, 'engines' | 'openSigner' | 'checkpoints'> & {
  readonly logLineage: Pick<LogLineage, 'lost'>;
};

/** Longest wait for the lease: longer than a killed process counts as alive. */
const LONGEST_WAIT_MS = 4000;
/** Longest work on a tree that is far behind. A stop has to end in 15 s. */
const LONGEST_WORK_MS = 4000;
const LOOK_EVERY_MS = 50;

/**
 * Leaves no event behind the tree when the last of several processes stops. The process that kept the tree may have
 * stopped before, or been killed. A process that goes on and can keep the tree is left to do so.
 */
export class TreeAtTheEnd {
  private isDue = false;

  constructor(
    private readonly parts: TreeAtTheEndParts,
    private readonly registry: Pick<ProcessRegistry, 'id' | 'isAlive' | 'isGone' | 'peers'>,
  ) {}

  /** Has `close` do the work. A process whose start fails leaves the tree as it is. */
  start(): void {
    this.isDue = true;
    void this.parts.logLineage.lost.then(() => {
      this.isDue = false;
    });
  }

  /** Resolves when the tree has what this process has appended, or another process sees to it, or that takes too long. */
  async close(): Promise<void> {
    if (!this.isDue || !this.registry.isAlive()) return;
    try {
      await this.takeInOrLeave(AbortSignal.timeout(LONGEST_WAIT_MS));
    } catch (error) {
      new Logger('Transparency').warn(`the newest events are not in the tree until the next start: ${String(error)}`);
    }
  }

  private async takeInOrLeave(signal: AbortSignal): Promise<void> {
    const { eventStore, projectionStore } = this.parts.engines;
    const newest = await eventStore.head();
    const [tree, leases] = [
      await PublishedTree.open(projectionStore),
      await Leases.open(projectionStore, this.registry),
    ];
    const names = [CONSEQUENCES_DATABASE];
    try {
      const before = new Map((await this.keepers()).map(({ _id, beat }) => [_id, beat]));
      while (!signal.aborted) {
        const { position } = (await tree.head()) ?? { position: START };
        if (!(await isBehind({ position }, newest, eventStore))) return;
        // A keeper that has not begun to stop looks at the tree later than this.
        if ((await this.keepers()).some(({ _id, beat }) => beat > (before.get(_id) ?? beat))) return;
        const lease = await leases.acquire(
          CONSEQUENCES_DATABASE,
          (await leases.look(names)).get(CONSEQUENCES_DATABASE),
        );
        if (lease) return await this.takeIn(lease).finally(() => leases.release(lease));
        await pause(LOOK_EVERY_MS, signal);
      }
    } finally {
      await tree.onApplicationShutdown();
    }
  }

  /** The other processes that can keep the tree, unless they have been silent for too long. */
  private async keepers(): Promise<readonly ProcessDocument[]> {
    return (await this.registry.peers()).filter(({ role, keeps }) => keeps ?? role !== 'api');
  }

  private async takeIn({ token }: Lease): Promise<void> {
    const { engines, openSigner, checkpoints } = this.parts;
    const { eventStore, projectionStore: documentStore } = engines;
    const givenUp = await givenUpCheckpoints(eventStore, TRANSPARENCY_STREAM);
    const last = await lastVerifier(documentStore, givenUp);
    const signer = await openSigner({ last, restored: givenUp.at(-1)?.name ?? null });
    // The log is yet to say that another key or name signs it.
    if (last !== null && String(signer.verifier) !== last) return;
    const log = new Logger('Transparency');
    const keeper = await openTreeKeeper(
      {
        eventStore,
        documentStore,
        checkpoints,
        shared: { fence: new Fence(token), onFenced: () => {} },
        report: (problem) => log.error(problem),
      },
      signer,
    );
    await keeper.takeIn(AbortSignal.timeout(LONGEST_WORK_MS)).finally(() => keeper.close());
  }
}
