import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../../src/platform/log/event-store.js';
import { idsOf, newEvent, newEvents, ownStreams } from '../support/engines/event-store-events.js';
import { appending } from './event-store-appending.contract.js';
import { reading } from './event-store-reading.contract.js';
import { repeating } from './event-store-repeating.contract.js';
import { subscribing } from './event-store-subscribing.contract.js';

export interface OpenedEventStore {
  readonly store: EventStore;
  /** Closes the store and opens the same log again. */
  reopen(): Promise<EventStore>;
  cleanup(): Promise<void>;
}

/** The contract of the EventStore port, for every adapter. The engine may hold other events, and positions may have gaps. */
export function eventStoreContract(name: string, open: () => Promise<OpenedEventStore>): void {
  // First: to open a log is to read its newest events, and the next tests append large ones.
  describe(`event store on ${name}, opened again`, () => {
    it('has every event unchanged, and continues the numbering', async () => {
      const opened = await open();
      try {
        const stream = ownStreams()('users');
        const start = await opened.store.head();
        await opened.store.append(stream, newEvents('Added', 3), 'new');
        const before = await opened.store.readAll({ after: start, limit: 10 });

        const store = await opened.reopen();

        expect(await store.readAll({ after: start, limit: 10 })).toEqual(before);
        const result = await store.append(stream, [newEvent('Added')], 2);
        expect(result.revision).toBe(3);
        expect(result.position).toBeGreaterThan(before.position);
        expect(await store.head()).toBe(result.position);
      } finally {
        await opened.cleanup();
      }
    });

    it('continues a subscription at the position where it stopped', async () => {
      const opened = await open();
      try {
        const stream = ownStreams()('users');
        const first = await opened.store.append(stream, newEvents('Added', 3), 'new');
        const later = newEvents('Added', 2);
        await opened.store.append(stream, later, 2);
        const store = await opened.reopen();
        const stop = new AbortController();
        const seen: string[] = [];
        for await (const batch of store.subscribe({ after: first.position, signal: stop.signal })) {
          seen.push(...idsOf(batch.events));
          if (batch.caughtUp) stop.abort();
        }
        expect(seen).toEqual(idsOf(later));
      } finally {
        await opened.cleanup();
      }
    });
  });

  describe(`event store on ${name}`, () => {
    let opened: OpenedEventStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.cleanup());
    const store = () => opened.store;

    describe('appending', () => appending(store));
    describe('repeating an append', () => repeating(store));
    describe('reading', () => reading(store));
    describe('subscribing', () => subscribing(store));
  });
}
