import { expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { drafts } from '../../../projections/drafts/drafts.projection.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import { personal } from '../../../projections/personal/personal.projection.js';
import { readState } from '../../../projections/read-state/read-state.projection.js';
import { Facts } from '../../../src/directory/facts.js';
import { ChannelStateReader } from '../../../src/features/channels/channels.register.js';
import { DraftStateReader } from '../../../src/features/drafts/queries/drafts.queries.js';
import {
  GetInitialState,
  GetInitialStateHandler,
} from '../../../src/features/event-queues/queries/initial-state.handler.js';
import type { StateReader } from '../../../src/features/event-queues/state-reader.js';
import { ReadStates } from '../../../src/features/message-flags/services/read-states.js';
import { MessageStateReader } from '../../../src/features/messages/messages.register.js';
import { MessageRows } from '../../../src/features/messages/services/message-rows.js';
import { PersonalStateReader } from '../../../src/features/personal/personal.register.js';
import { FlagStateReader } from '../../../src/features/read-state/read-state.register.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { START } from '../../../src/platform/kernel/position.js';
import { History } from '../../projections/messages/messages-history.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';

const PLAIN = { slimPresence: false, presenceHistoryDays: null, clientCapabilities: {} };

it('the initial state of a client has the lowest position of its sources', () =>
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
      const facts = new Facts(history.directory, readModels);
      const handler = new GetInitialStateHandler(facts, [
        new ChannelStateReader(facts),
        new MessageStateReader(facts, () => 'https://annals.example'),
        new FlagStateReader(facts, new ReadStates(readModels), new MessageRows(readModels)),
        new PersonalStateReader(facts),
        new DraftStateReader(facts),
      ]);
      const request = { fetchTypes: null, clientGravatar: false, includeSubscribers: false, ...PLAIN };
      const registered = async () => {
        const { state, positions } = await handler.execute(new GetInitialState({ reader, request }));
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

it('an empty part is given for a feature that is not there, and replaced by the part of a feature that is', () =>
  withScratch(async (folder) => {
    const history = new History();
    const reader = history.user();
    const store = await SqliteDocumentStore.open(folder);
    try {
      const empty = { parts: () => ({ absent: { stop_words: { stop_words: [] }, reminders: { reminders: [] } } }) };
      const own = { part: 'reminders', names: ['reminders'] };
      const reminders = {
        parts: () => ({ own: { ...own, read: async () => ({ state: { notes: 1 }, position: START }) } }),
      };
      const stateOf = async (fetchTypes: readonly string[] | null, ...readers: StateReader[]) => {
        const handler = new GetInitialStateHandler(new Facts(history.directory, new AppliedByHand(store)), readers);
        const request = { fetchTypes, clientGravatar: false, includeSubscribers: false, ...PLAIN };
        const { state } = await handler.execute(new GetInitialState({ reader, request }));
        return Object.keys(state).filter((key) => !key.startsWith('zulip'));
      };

      expect(await stateOf(null, empty)).toEqual(['stop_words', 'reminders']);
      expect(await stateOf(['reminders'], empty)).toEqual(['reminders']);
      for (const readers of [
        [empty, reminders],
        [reminders, empty],
      ])
        expect(await stateOf(null, ...readers)).toEqual(['stop_words', 'notes']);
    } finally {
      await store.close();
    }
  }));
