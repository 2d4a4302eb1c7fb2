import { eventRegistry } from '../../../events/event-registry.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import type { Position } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import type { StoredEvent } from '../../../platform/log/event-store.js';
import { NotProvable, type Proof, Proofs } from '../../../platform/transparency/proofs.js';
import type { PublishedTree } from '../../../platform/transparency/published-tree.js';

/** Proofs that are made before other requests run. */
const AT_ONCE = 20;

/** The tree does not have the events yet, or its checkpoint is not signed. */
export class NotProved extends UnavailableError {}

/** Proofs that an answer has, all of them under one signed checkpoint. */
export class EventProofs {
  private constructor(private readonly proofs: Proofs) {}

  /** Waits until the tree has the event at the position. @throws NotProved if it does not, or is not signed */
  static async upTo(position: Position, tree: PublishedTree): Promise<EventProofs> {
    const made = provable(async () => Proofs.upTo(position, await tree.reach(position), tree));
    return new EventProofs(await made);
  }

  /** @throws NotProved if the tree has no leaf of an event */
  of(events: readonly StoredEvent[], connection: ClientConnection): Promise<readonly Proof[]> {
    return provable(async () => {
      const proved: Proof[] = [];
      for (const event of events) {
        if (proved.length % AT_ONCE === AT_ONCE - 1) await nextSlice();
        assertConnected(connection);
        proved.push(await this.proofs.of(event, eventRegistry.get(event.type)?.secrets ?? []));
      }
      return proved;
    });
  }
}

async function provable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NotProvable || error instanceof UnavailableError
      ? new NotProved(error.message, 1, { cause: error })
      : error;
  }
}
