import { describe, expect, it } from '@jest/globals';
import { DEFAULT_USER_SETTINGS } from '../../../src/events/personal/user.settings.js';
import type { ClientEvent, Registered } from '../../../web/platform/client-events.js';
import { followQueue, type QueuePort } from '../../../web/platform/queue.js';

type Answer = readonly number[] | 'cut' | 'no such queue' | 'signed out';

const heartbeat = (id: number): ClientEvent => ({ type: 'heartbeat', id });

const registered = (queue: number, lastEventId: number): Registered => ({
  queue_id: `queue ${queue}`,
  last_event_id: lastEventId,
  user_id: 1,
  max_message_id: 0,
  realm_users: [],
  realm_non_active_users: [],
  cross_realm_bots: [],
  subscriptions: [],
  starred_messages: [],
  scheduled_messages: [],
  reminders: [],
  drafts: [],
  max_message_length: 10_000,
  user_settings: DEFAULT_USER_SETTINGS,
  server_supported_permission_settings: { realm: {}, stream: {}, group: {} },
  user_status: {},
  presences: {},
  presence_last_update_id: -1,
  server_timestamp: 0,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_emoji_data_url: '',
  realm_emoji: {},
  recent_private_conversations: [],
  unread_msgs: { streams: [], pms: [], huddles: [], mentions: [] },
});

/** Follows a server that answers polls so; then it has ended the session. */
async function follow(...answers: readonly Answer[]) {
  const left = [...answers];
  const asked: string[] = [];
  const told: (string | number)[] = [];
  let queues = 0;
  const port: QueuePort = {
    async register() {
      queues += 1;
      return registered(queues, queues * 100);
    },
    async poll(id, lastEventId, waits) {
      asked.push(`${id} after ${lastEventId}${waits ? '' : ' at once'}`);
      const answer = left.shift() ?? 'signed out';
      if (typeof answer === 'string') throw answer;
      return answer.map(heartbeat);
    },
    failureOf: (error) => (error === 'no such queue' || error === 'signed out' ? error : 'other'),
    async pause(milliseconds) {
      asked.push(`pause of ${milliseconds}`);
    },
  };
  const listener = {
    started: ({ queue_id }: Registered) => told.push(`starts ${queue_id}`),
    happened: (events: readonly ClientEvent[]) => told.push(...events.map(({ id }) => id)),
    told: (connection: string) => {
      if (told.at(-1) !== connection) told.push(connection);
    },
  };
  await followQueue(port, listener, new AbortController().signal);
  return { asked, told };
}

describe('the queue of the page', () => {
  it('asks for what comes after the last event, and tells each once', async () => {
    const { asked, told } = await follow([101, 102], [102, 103], []);
    expect(asked).toEqual(['queue 1 after 100', 'queue 1 after 102', 'queue 1 after 103', 'queue 1 after 103']);
    expect(told.filter((one) => typeof one === 'number')).toEqual([101, 102, 103]);
  });

  it('repeats a poll that failed, ever more slowly, and tells that it does', async () => {
    const { asked, told } = await follow([101], 'cut', 'cut', 'cut', [102]);
    expect(asked).toEqual([
      ...['queue 1 after 100', 'queue 1 after 101', 'pause of 250', 'queue 1 after 101 at once', 'pause of 500'],
      ...['queue 1 after 101 at once', 'pause of 1000', 'queue 1 after 101 at once', 'queue 1 after 102'],
    ]);
    expect(told).toEqual(['starts queue 1', 'online', 101, 'online', 'reconnecting', 102, 'online', 'lost']);
  });

  it('waits 15 seconds at most', async () => {
    const { asked } = await follow(...Array.from({ length: 12 }, (): Answer => 'cut'));
    expect(asked.filter((one) => one.startsWith('pause')).at(-1)).toBe('pause of 15000');
  });

  it('registers anew if the server has no such queue', async () => {
    const { asked, told } = await follow([101], 'no such queue', [201]);
    expect(asked).toEqual(['queue 1 after 100', 'queue 1 after 101', 'queue 2 after 200', 'queue 2 after 201']);
    expect(told).toEqual([
      'starts queue 1',
      'online',
      101,
      'online',
      'starts queue 2',
      'online',
      201,
      'online',
      'lost',
    ]);
  });

  it('ends with the session', async () => {
    expect((await follow('signed out', [101])).told).toEqual(['starts queue 1', 'online', 'lost']);
  });
});
