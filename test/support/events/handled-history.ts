import { eventRegistry } from '../../../src/events/event-registry.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { CommandContext } from '../../../src/platform/kernel/deciding.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { type Position, START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { AppliedByHand } from '../projections/applied-by-hand.js';
import { withScratch } from '../scratch.js';

export type Said = readonly [stream: string, type: string, data: object];

/** A log whose events are all appended before any consumer starts. */
export interface Happened {
  readonly events: readonly Recorded[];
  readonly position: Position;
  readonly runner: CommandRunner;
  readonly readModels: AppliedByHand;
  readonly signal: AbortSignal;
}

/** @returns the events after the history, once consumers have handled it */
export async function appendedBy(
  handle: (happened: Happened) => Promise<void>,
  history: readonly Said[],
  by: CommandContext,
): Promise<readonly StoredEvent[]> {
  let appended: readonly StoredEvent[] = [];
  await withScratch(async (folder) => {
    const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const keys = await SqliteContentKeys.open(folder);
    const codec = new EventCodec(keys, eventRegistry);
    const runner = new CommandRunner(eventStore, keys, codec);
    const readModels = new AppliedByHand(documentStore);
    try {
      for (const [stream, type, data] of history) {
        const id = newEventId();
        const sealing = eventRegistry.get(type)?.sealed !== undefined ? await runner.sealingKey(id) : undefined;
        await runner.report(stream, { type, data } as never, by, { id, ...(sealing && { sealing }) });
      }
      const { events, position } = await eventStore.readAll({ after: START, limit: 100 });
      const { signal } = new AbortController();
      await handle({ events: await codec.decode(events), position, runner, readModels, signal });
      appended = (await eventStore.readAll({ after: position, limit: 100 })).events;
    } finally {
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }
  });
  return appended;
}
