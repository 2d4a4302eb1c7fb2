import { CHANNELS, LONG_TOPIC, USERS } from '../data/organization.js';
import type { MarkedMessages, MessagePage, Registration, SentMessage } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { after, closedLoop } from '../driver/load.js';
import { type Method, requestOf, successOf } from '../driver/request.js';
import type { Bench } from './bench.js';
import { sendsTo } from './requests.js';
import type { Result } from './result.js';

const MARK_MS = 200;
const REGISTER_MS = 300;
const SEARCH_MS = 50;

/** Messages whose flags one request changes. */
const FLAGGED = 100;
const CONCURRENCY = 16;

/** How often each question is asked; MARKINGS, how often each way to mark as read is measured. */
const ROUNDS = 10;
const MARKINGS = 5;

/** The parameters that a client repeats until all its unread messages are marked as read. */
const ALL_AFTER = { anchor: 'oldest', num_before: '0', num_after: '100000', op: 'add', flag: 'read' };

/** Measures the later life of messages: edits, flags, finding unread ones, and marking them as read. */
export async function measureReading({ organization, big, effort, say }: Bench): Promise<Result> {
  const result: Result = { rows: [], targets: [] };
  const connection = await Connection.open(big.port);
  const ask = async <T>(method: Method, path: string, userId: number, parameters: Record<string, string> = {}) => {
    const request = requestOf(method, path, organization.account(userId), parameters);
    const startedAt = performance.now();
    const answer = await connection.send(request);
    const ms = performance.now() - startedAt;
    return { ms, body: successOf<T>(answer), bytes: answer.body.length };
  };
  const tell = (what: string, times: number[], limit: number | null, note?: string) => {
    const row = { what, unit: 'ms', value: p50(times), p50: p50(times), p99: p99(times) };
    result.rows.push(note === undefined ? row : { ...row, note });
    if (limit !== null) result.targets.push({ what, value: row.value, unit: 'ms', bound: 'at most', limit });
  };
  /** @returns times without the first, which finds nothing remembered */
  const again = async (work: (n: number) => Promise<{ ms: number }>): Promise<number[]> => {
    const times = [];
    for (let n = 0; n <= Math.min(ROUNDS, effort.registrations); n++) times.push((await work(n)).ms);
    return times.slice(1);
  };
  const unreadOf = async (userId: number) =>
    (await ask<MessagePage>('GET', '/messages', userId, unread('oldest', '1000'))).body.messages.length;

  try {
    for (const { what, reader } of READERS) {
      say(`what is unread, ${what}`);
      const first = await ask('GET', '/messages', reader, unread('oldest', '100'));
      const cold = `the first time ${first.ms.toFixed(0)} ms`;
      tell(
        `is:unread, 100 oldest, ${what}`,
        await again(() => ask('GET', '/messages', reader, unread('oldest', '100'))),
        SEARCH_MS,
        cold,
      );
      tell(
        `is:unread, 100 newest, ${what}`,
        await again(() => ask('GET', '/messages', reader, { ...unread('newest', '0'), num_before: '100' })),
        SEARCH_MS,
      );
      const page = { anchor: 'first_unread', num_before: '50', num_after: '50' };
      tell(`first_unread, ${what}`, await again(() => ask('GET', '/messages', reader, page)), SEARCH_MS);
      const busy = JSON.stringify([['channel', organization.channelName(CHANNELS.quiet)]]);
      if (reader !== USERS.readerOfFew)
        tell(
          `first_unread of a channel, ${what}`,
          await again(() => ask('GET', '/messages', reader, { ...page, narrow: busy })),
          SEARCH_MS,
        );
    }

    for (const { what, reader } of READERS) {
      say(`POST /register, ${what}`);
      let told = '';
      const times = await again(async () => {
        const { ms, body, bytes } = await ask<Registration>('POST', '/register', reader);
        const { count } = body.unread_msgs;
        told = `${count.toLocaleString('en-US')} unread, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
        await ask('DELETE', '/events', reader, { queue_id: body.queue_id });
        return { ms };
      });
      tell(`POST /register, ${what}`, times, REGISTER_MS, told);
    }

    say('edits');
    const { body: sent } = await ask<SentMessage>('POST', '/messages', USERS.readerOfAll, {
      type: 'channel',
      to: organization.channelName(CHANNELS.ten),
      topic: 'edits',
      content: 'the first words',
    });
    tell(
      'edit',
      await again((n) => ask('PATCH', `/messages/${sent.id}`, USERS.readerOfAll, { content: `words ${n}` })),
      null,
    );

    say('flags');
    const starring = (n: number) => ({ op: n % 2 === 0 ? 'add' : 'remove', flag: 'starred' });
    const { body: page } = await ask<MessagePage>('GET', '/messages', USERS.readerOfAll, {
      anchor: 'newest',
      num_before: String(FLAGGED),
      num_after: '0',
    });
    const ids = JSON.stringify(page.messages.map(({ id }) => id));
    tell(
      `flag of ${FLAGGED} messages by ids`,
      await again((n) => ask('POST', '/messages/flags', USERS.readerOfAll, { messages: ids, ...starring(n) })),
      null,
    );
    const range = { anchor: 'newest', num_before: String(FLAGGED), num_after: '0', narrow: '[]' };
    tell(
      `flag of ${FLAGGED} messages by narrow`,
      await again((n) => ask('POST', '/messages/flags/narrow', USERS.readerOfAll, { ...range, ...starring(n) })),
      null,
    );

    // Each marking is made by another user, who has read nothing.
    const crowd = organization.subscribersOf(CHANNELS.long).slice(3);
    const somebody = () => {
      const userId = crowd.shift();
      if (userId === undefined) throw new Error('everybody has read something');
      return userId;
    };
    const rounds = Math.min(MARKINGS, effort.registrations);
    const marking: (what: string, work: (userId: number) => Promise<number>) => Promise<void> = async (what, work) => {
      say(what);
      const times = [];
      let note = '';
      for (let n = 0; n < rounds; n++) {
        const userId = somebody();
        if ((await unreadOf(userId)) === 0) throw new Error(`user ${userId} has read everything`);
        const startedAt = performance.now();
        const marked = await work(userId);
        times.push(performance.now() - startedAt);
        note = marked > 0 ? `${marked.toLocaleString('en-US')} messages` : '';
      }
      tell(what, times, MARK_MS, note);
    };
    const tenth = big.messages / 10;
    await marking('mark_all_as_read', async (userId) => {
      await ask('POST', '/mark_all_as_read', userId);
      return 0;
    });
    await marking('flags/narrow over what is unread of a channel', async (userId) => {
      const channel = { operator: 'channel', operand: organization.channelName(CHANNELS.long) };
      const narrow = JSON.stringify([channel, { operator: 'is', operand: 'unread' }]);
      let marked = 0;
      for (let more = true; more; ) {
        const { body } = await ask<MarkedMessages>('POST', '/messages/flags/narrow', userId, { ...ALL_AFTER, narrow });
        marked += body.updated_count;
        more = !body.found_newest;
      }
      return marked;
    });
    await marking('mark_stream_as_read', async (userId) => {
      await ask('POST', '/mark_stream_as_read', userId, { stream_id: String(CHANNELS.busy) });
      return tenth;
    });
    await marking('mark_topic_as_read', async (userId) => {
      await ask('POST', '/mark_topic_as_read', userId, { stream_id: String(CHANNELS.long), topic_name: LONG_TOPIC });
      return tenth;
    });

    say(`sends while 1,000 users have ${tenth.toLocaleString('en-US')} messages unread`);
    const request = sendsTo(organization, CHANNELS.busy);
    await closedLoop({ port: big.port, request, concurrency: CONCURRENCY, isOver: after(effort.warmUpSeconds) });
    const isOver = after(effort.sendSeconds);
    const sends = await closedLoop({ port: big.port, request, concurrency: CONCURRENCY, isOver });
    result.rows.push({
      what: `sends to 1,000 users with ${tenth.toLocaleString('en-US')} unread each`,
      value: sends.perSecond,
      unit: '/s',
      p50: sends.p50,
      p99: sends.p99,
    });
    const one = USERS.readerOfAll;
    tell(
      'first_unread after the sends',
      await again(() => ask('GET', '/messages', one, { anchor: 'first_unread', num_before: '0', num_after: '1' })),
      SEARCH_MS,
    );
  } finally {
    connection.close();
  }
  return result;
}

const READERS = [
  { what: 'reader of all channels', reader: USERS.reader },
  { what: 'the same with marks', reader: USERS.marker },
  { what: 'reader of few channels', reader: USERS.readerOfFew },
];

const unread = (anchor: string, after: string): Record<string, string> => ({
  anchor,
  num_before: '0',
  num_after: after,
  narrow: JSON.stringify([['is', 'unread']]),
});
