import { expect, it } from '@jest/globals';
import { personal } from '../../../projections/personal/personal.projection.js';
import { applyEvents } from '../../../projections/runner/apply-events.js';
import { readPersonal } from '../../../src/features/personal/queries/personal.queries.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import type { ReadModels } from '../../../src/platform/read-models/read-models.js';
import { history } from '../../support/events/history.js';
import { withScratch } from '../../support/scratch.js';

const policySet = (topic: string): DomainEvent => ({
  type: 'TopicPolicySet',
  data: { userId: 1, channelId: 7, topic, from: 0, to: 1 },
});

it('personal data are as of the position that is answered, even if events arrive during the read', () =>
  withScratch(async (folder) => {
    const store = await SqliteDocumentStore.open(folder);
    try {
      const words: DomainEvent = { type: 'AlertWordsAdded', data: { userId: 1, words: ['w'] } };
      const events = history(['user-1', policySet('a')], ['user-1', policySet('b')], ['user-1', words]);
      const database = await store.database('personal');
      await database.ensure(personal.collections);
      let applied = 0;
      const apply = async (): Promise<void> => {
        const next = events.slice(applied, ++applied);
        await database.transaction((transaction) => applyEvents(personal, transaction, next));
      };
      await apply();
      // The next event, if there is one, is applied after the topics are read and before the lists are.
      const collection: ReadModels['collection'] = (_projection, name) => {
        const found = database.collection(name);
        if (name !== 'lists') return found as never;
        const findOne: typeof found.findOne = async (filter) => {
          if (applied < events.length) await apply();
          return found.findOne(filter);
        };
        return { findOne } as never;
      };
      const readModels: ReadModels = {
        collection,
        position: () => events[applied - 1]?.position ?? 0,
        waitFor: async () => {},
        onApplied: () => () => undefined,
      };
      const { topics, lists, position } = await readPersonal(readModels, 1, 0);
      expect([topics.map(({ topic }) => topic), lists.alertWords, position]).toEqual([['a', 'b'], ['w'], 3]);
      const nobody = await readPersonal(readModels, 2, 0);
      expect([nobody.topics, nobody.lists.mutedUsers, nobody.position]).toEqual([[], [], 3]);
    } finally {
      await store.close();
    }
  }));
