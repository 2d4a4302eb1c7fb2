import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { Api } from '../support/requests/api.js';
import { contentsIn, killedAt } from '../support/servers/killed-at.js';

const content = 'sent once';
/** Time until the server may be killed, which sends the message. */
const AHEAD_S = 3;
const soon = () => Math.ceil(Date.now() / 1000) + AHEAD_S;

const POINTS = [
  ['before the message has a key', 'appended:user-1'],
  ['before its event', 'key-stored'],
  ['after its event', 'appended:messages'],
  ['before the document of the message is committed', 'uncommitted:messages'],
] as const;

describe('a scheduled message whose server is killed while it sends', () => {
  it.each(POINTS)('%s is sent exactly once', (_, point) =>
    killedAt(point, {
      prepare: ({ api }) =>
        api.post('scheduled_messages', {
          type: 'channel',
          to: 1,
          topic: 'faults',
          content,
          scheduled_delivery_timestamp: soon(),
        }),
      work: async () => {},
      check: async ({ api }) => {
        await eventually(async () => expect(await leftOf(api)).toEqual([]));
        expect(await contentsIn(api)).toEqual([{ id: 1, content }]);
      },
    }),
  );
});

describe('a reminder whose server is killed while it sends', () => {
  it.each(POINTS)('%s is sent exactly once', (_, point) =>
    killedAt(point, {
      prepare: async ({ api }) => {
        const { id } = await api.post('messages', { type: 'channel', to: 'general', topic: 'faults', content });
        return api.post('reminders', { message_id: id, scheduled_delivery_timestamp: soon() });
      },
      work: async () => {},
      check: async ({ api }) => {
        await eventually(async () => expect((await api.get('reminders')).reminders).toEqual([]));
        const [message, ...reminders] = await contentsIn(api);
        expect(message).toEqual({ id: 1, content });
        expect(reminders).toEqual([{ id: 2, content: expect.stringContaining(`\n${content}\n`) }]);
      },
    }),
  );
});

const leftOf = async (api: Api) => (await api.get('scheduled_messages')).scheduled_messages;
