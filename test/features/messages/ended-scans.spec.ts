import { expect, it } from '@jest/globals';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages/messages.projection.js';
import { NEWEST, readPage } from '../../../src/features/messages/queries/reading/message-page.js';
import { readableView } from '../../../src/features/messages/queries/reading/message-view.js';
import { messagesFor } from '../../../src/features/messages/queries/reading/messages-for.js';
import { MessageRows } from '../../../src/features/messages/services/message-rows.js';
import { NarrowedRows } from '../../../src/features/messages/services/narrowed-rows.js';
import { EVERYTHING, unreadIn } from '../../../src/features/narrow/domain/narrow-resolve.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { Overloaded } from '../../../src/platform/kernel/admission.js';
import { History, NONE_MOVED_IN, unflagged } from '../../projections/messages/messages-history.js';
import { override } from '../../support/override.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';

it('a scan ends when its client has hung up, and its steps are small', () =>
  withScratch(async (folder) => {
    const history = new History();
    const [reader, author] = [history.user(), history.user()];
    const channel = history.channel();
    history.subscribe(channel, reader);
    for (let sent = 0; sent < 1_200; sent++) history.post(author, channel);
    const own = unflagged(reader, history.directory);
    const store = await SqliteDocumentStore.open(folder);
    try {
      const readModels = new AppliedByHand(store);
      await readModels.apply(messages, history.events);
      const sizes: number[] = [];
      const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
      const counted = override(collection, {
        find: async (filter, options) => {
          const found = await collection.find(filter, options);
          sizes.push(found.length);
          return found;
        },
      });
      const everything = readableView(EVERYTHING, reader, own, history.directory, NONE_MOVED_IN);
      const nothing = { ...everything, includes: () => false };
      const page = { anchor: NEWEST, numBefore: 5_000, numAfter: 0, includeAnchor: false };

      await readPage(messagesFor({ isDisconnected: false }, counted), nothing, page);
      expect(sizes.length).toBeGreaterThan(4);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(250);

      sizes.length = 0;
      const leaving = {
        get isDisconnected() {
          return sizes.length >= 3;
        },
      };
      await expect(readPage(messagesFor(leaving, counted), nothing, page)).rejects.toThrow(Overloaded);
      expect(sizes).toHaveLength(3);

      const rows = new MessageRows(readModels);
      const unread = unreadIn(EVERYTHING);
      expect(await new NarrowedRows(unread, own, rows).take(5_000, 1)).toHaveLength(1_200);
      const gone = new NarrowedRows(unread, own, rows, { isDisconnected: true });
      await expect(gone.take(5_000, 1)).rejects.toThrow(Overloaded);
    } finally {
      await store.close();
    }
  }));
