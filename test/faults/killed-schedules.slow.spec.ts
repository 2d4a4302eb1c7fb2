import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { type Api, ConnectionLost } from '../support/requests/api.js';
import { contentsIn, killedAt } from '../support/servers/killed-at.js';

const content = 'sent once';
/** Seconds until the server may be killed, which sends the message; more on a machine that is too busy for that. */
const AHEAD_S = [3, 20, 60];

const POINTS = [
  ['before the message has a key', 'appended:user-1'],
  ['before its event', 'key-stored'],
  ['after its event', 'appended:messages'],
  ['before the document of the message is committed', 'uncommitted:messages'],
] as const;

/** Something that is due at a time of its own. */
interface Item {
  /** Makes it. @param at seconds since 1970 */
  make(api: Api, at: number): Promise<unknown>;
  /** Those that are not sent. */
  left(api: Api): Promise<unknown>;
  check(api: Api): Promise<void>;
}

/** The message was sent before the server could be killed. */
class TooLate extends Error {}

async function killedWhileSending(point: string, { make, left, check }: Item): Promise<void> {
  for (const [index, seconds] of AHEAD_S.entries()) {
    try {
      return await killedAt(point, {
        prepare: ({ api }) => make(api, Math.ceil(Date.now() / 1000) + seconds),
        work: ({ api }) => expectDeath(api, left),
        check: async ({ api }) => {
          await eventually(async () => expect(await left(api)).toEqual([]));
          await check(api);
        },
      });
    } catch (error) {
      if (!(error instanceof TooLate) || index === AHEAD_S.length - 1) throw error;
    }
  }
}

/** Waits until the server is dead. @throws TooLate if it has nothing left to send */
async function expectDeath(api: Api, left: Item['left']): Promise<void> {
  const found = await eventually(async () => {
    const now = await left(api).catch((error: unknown) => {
      if (error instanceof ConnectionLost) return null;
      throw error;
    });
    if (now !== null) expect(now).toEqual([]);
    return now;
  }, 120_000);
  if (found !== null) throw new TooLate();
}

const scheduled: Item = {
  make: (api, at) =>
    api.post('scheduled_messages', {
      type: 'channel',
      to: 1,
      topic: 'faults',
      content,
      scheduled_delivery_timestamp: at,
    }),
  left: async (api) => (await api.get('scheduled_messages')).scheduled_messages,
  check: async (api) => expect(await contentsIn(api)).toEqual([{ id: 1, content }]),
};

const reminder: Item = {
  make: async (api, at) => {
    const { id } = await api.post('messages', { type: 'channel', to: 'general', topic: 'faults', content });
    return api.post('reminders', { message_id: id, scheduled_delivery_timestamp: at });
  },
  left: async (api) => (await api.get('reminders')).reminders,
  check: async (api) => {
    const [message, ...reminders] = await contentsIn(api);
    expect(message).toEqual({ id: 1, content });
    expect(reminders).toEqual([{ id: 2, content: expect.stringContaining(`\n${content}\n`) }]);
  },
};

describe.each([
  ['a scheduled message', scheduled],
  ['a reminder', reminder],
])('%s whose server is killed while it sends', (_, item) => {
  it.each(POINTS)('%s is sent exactly once', (_, point) => killedWhileSending(point, item), 600_000);
});
