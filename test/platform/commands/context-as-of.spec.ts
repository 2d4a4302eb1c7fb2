import { expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { type MessagesMoved, topicsStream } from '../../../src/events/messages/topics.events.js';
import { type TopicsState, topicsOfChannel } from '../../../src/features/messages/domain/move-messages.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { type Decide, refuse } from '../../../src/platform/kernel/deciding.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };

/** Moves a message to the topic that the context names. Refuses if the context names none. */
const decide: Decide<null, TopicsState, MessagesMoved, string> = (_, __, topic) => [
  {
    type: 'MessagesMoved',
    data: {
      anchorId: 1,
      propagateMode: 'change_one',
      from: { channelId: 4, topic: 'a' },
      to: { channelId: 4, topic: topic || refuse('NOTHING_TO_EDIT') },
      reach: null,
      messageCount: 1,
      isWholeTopic: false,
      notices: { oldThread: false, newThread: false },
    },
  },
];

it('the runner gathers the context anew for each attempt, as of the state that is decided on', () =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    try {
      const codec = new EventCodec(keys, eventRegistry);
      const [one, other] = [new CommandRunner(store, keys, codec), new CommandRunner(store, keys, codec)];
      const asked: Position[] = [];
      const on = {
        stream: topicsStream(4),
        decider: topicsOfChannel,
        expects: 'any' as const,
        decide,
        command: null,
        by,
      };
      const contextAsOf = async (position: Position): Promise<string> => {
        asked.push(position);
        return `as of ${position}`;
      };
      const first = await one.decide({ ...on, contextAsOf });
      const second = await other.decide({ ...on, context: 'b' });
      // The first runner's state is the one before the second event, so that its first attempt conflicts.
      const third = await one.decide({ ...on, contextAsOf });
      expect(asked).toEqual([0, first.position, second.position]);
      expect(third.events[0]?.data.to.topic).toBe(`as of ${second.position}`);

      await other.decide({ ...on, context: 'c' });
      await expect(one.decide({ ...on, contextAsOf: async () => '' })).rejects.toThrow('NOTHING_TO_EDIT');
      await expect(one.check({ ...on, contextAsOf: async () => '' })).rejects.toThrow('NOTHING_TO_EDIT');
      await one.check({ ...on, contextAsOf });
      expect((await store.readStream(topicsStream(4))).length).toBe(4);
    } finally {
      await keys.close();
      await store.close();
    }
  }));
