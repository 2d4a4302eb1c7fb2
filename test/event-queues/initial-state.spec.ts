import { expect, it } from '@jest/globals';
import { clientEvents } from '../../projections/client-events.projection.js';
import { messages } from '../../projections/messages.projection.js';
import { personal } from '../../projections/personal.projection.js';
import type { Projection } from '../../projections/projection.js';
import { readState } from '../../projections/read-state.projection.js';
import { applyEvents } from '../../projections/runner/apply-events.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { DocumentDatabase } from '../../src/document-store/document-store.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import { GetInitialState, GetInitialStateHandler } from '../../src/event-queues/queries/initial-state.handler.js';
import type { Recorded } from '../../src/kernel/event.js';
import { type Position, START } from '../../src/kernel/position.js';
import { ReadStates } from '../../src/read-state/queries/read-states.js';
import { History } from '../projections/messages-history.js';
import { withScratch } from '../support/scratch.js';

/** Read models that are as far as they are told to go, and that nobody waits for in vain. */
class AppliedByHand implements ReadModels {
  private readonly databases = new Map<string, DocumentDatabase>();
  private readonly positions = new Map<string, Position>();

  constructor(private readonly store: SqliteDocumentStore) {}

  async apply(projection: Projection, events: readonly Recorded[]): Promise<void> {
    const database = await this.store.database(projection.name);
    await database.ensure(projection.collections);
    await database.transaction((transaction) => applyEvents(projection, transaction, events));
    this.databases.set(projection.name, database);
    this.positions.set(projection.name, events.at(-1)?.position ?? START);
  }

  collection: ReadModels['collection'] = (projection, name) => {
    const database = this.databases.get(projection.name);
    if (!database) throw new Error(`${projection.name} has no documents`);
    return database.collection(name);
  };

  position(projection: Projection): Position {
    return this.positions.get(projection.name) ?? START;
  }

  async waitFor(): Promise<void> {}

  onApplied(): () => void {
    return () => undefined;
  }
}

it('the state that a client registers with is as of the least of what it was read from', () =>
  withScratch(async (folder) => {
    const history = new History();
    const reader = history.user();
    const channel = history.channel();
    history.subscribe(channel, reader);
    const before = [...history.events];
    history.post(reader, channel);
    const end = history.events.at(-1)?.position ?? START;
    history.directory.position = end;

    const store = await SqliteDocumentStore.open(folder);
    try {
      const readModels = new AppliedByHand(store);
      const settings = { heartbeatAfter: 1000, idleLimit: 1000 };
      const handler = new GetInitialStateHandler(
        history.directory,
        new ReadStates(readModels),
        readModels,
        () => 'http://localhost',
        settings,
        { maxFileMib: 25 },
      );
      const request = { fetchTypes: null, clientGravatar: false, includeSubscribers: false, clientCapabilities: {} };
      const registered = async () => {
        const { state, positions } = await handler.execute(new GetInitialState(reader, request));
        const { max_message_id, subscriptions } = state as {
          readonly max_message_id: number;
          readonly subscriptions: readonly { readonly first_message_id: number | null }[];
        };
        return [positions.messages, max_message_id, subscriptions[0]?.first_message_id];
      };

      await readModels.apply(messages, history.events);
      await readModels.apply(readState, history.events);
      await readModels.apply(personal, history.events);
      await readModels.apply(clientEvents, before);
      expect(await registered()).toEqual([before.at(-1)?.position, -1, null]);
      await readModels.apply(clientEvents, history.events);
      expect(await registered()).toEqual([end, 1, 1]);
    } finally {
      await store.close();
    }
  }));
