import { describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { contentsIn, killedAt } from '../support/killed-at.js';

const content = 'sent once';
/** Time until the server may be killed, which sends the message. */
const AHEAD_S = 3;

describe('a scheduled message whose server is killed while it sends', () => {
  it.each([
    ['before the message has a key', 'appended:user-1'],
    ['before its event', 'key-stored'],
    ['after its event', 'appended:messages'],
    ['before the document of the message is committed', 'uncommitted:messages'],
  ])('%s is sent exactly once', (_, point) =>
    killedAt(point, {
      prepare: ({ api }) =>
        api.post('scheduled_messages', {
          type: 'channel',
          to: 1,
          topic: 'faults',
          content,
          scheduled_delivery_timestamp: Math.ceil(Date.now() / 1000) + AHEAD_S,
        }),
      work: async () => {},
      check: async ({ api }) => {
        await eventually(async () => expect(await leftOf(api)).toEqual([]));
        expect(await contentsIn(api)).toEqual([{ id: 1, content }]);
      },
    }),
  );
});

const leftOf = async (api: Api) => (await api.get('scheduled_messages')).scheduled_messages;
