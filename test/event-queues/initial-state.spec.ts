import { expect, it } from '@jest/globals';
import { clientEvents } from '../../projections/client-events.projection.js';
import { drafts } from '../../projections/drafts.projection.js';
import { messages } from '../../projections/messages.projection.js';
import { personal } from '../../projections/personal.projection.js';
import { readState } from '../../projections/read-state.projection.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import { GetInitialState, GetInitialStateHandler } from '../../src/event-queues/queries/initial-state.handler.js';
import { START } from '../../src/kernel/position.js';
import { MessageRows } from '../../src/messages/queries/rows/message-rows.js';
import { ReadStates } from '../../src/read-state/queries/read-states.js';
import { History } from '../projections/messages-history.js';
import { AppliedByHand } from '../support/applied-by-hand.js';
import { withScratch } from '../support/scratch.js';

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
        new MessageRows(readModels),
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
      await readModels.apply(drafts, history.events);
      await readModels.apply(clientEvents, before);
      expect(await registered()).toEqual([before.at(-1)?.position, -1, null]);
      await readModels.apply(clientEvents, history.events);
      expect(await registered()).toEqual([end, 1, 1]);
    } finally {
      await store.close();
    }
  }));
