import { BUSY_TOPIC, CHANNELS, Organization, USERS } from '../data/organization.js';
import { textOf } from '../data/words.js';
import { Connection } from '../driver/connection.js';
import { median } from '../driver/figures.js';
import { type Account, type Method, requestOf, successOf } from '../driver/request.js';
import { type Servers, SIZE } from './pairs.js';

/** Pairs of blocks of a route after each start, and requests of a block. */
const BLOCKS = 3;
const A_BLOCK = 20;
const WARM_UP = 40;
/** Numbers of requests after a start. */
const A_START = 1000;

/** What the requests to one server name: it was made there. */
interface Made {
  readonly messageId: number;
  readonly snippetId: number;
  readonly queueId: string;
}

type Parameters = Readonly<Record<string, string>>;

/** A route and its requests. A request may depend on its number: two in a row do not do the same. */
interface MeasuredRoute {
  readonly what: string;
  readonly method: Method;
  readonly path: (made: Made, n: number) => string;
  readonly parameters: (n: number, made: Made) => Parameters;
  readonly isByOwner: boolean;
}

type Text = string | MeasuredRoute['path'];

const route =
  (method: Method, isByOwner = false) =>
  (what: string, parameters: Parameters | MeasuredRoute['parameters'] = {}, path: Text = what): MeasuredRoute => ({
    what: `${method} ${what}`,
    method,
    path: typeof path === 'string' ? () => path : path,
    parameters: typeof parameters === 'function' ? parameters : () => parameters,
    isByOwner,
  });

const [get, post, patch] = [route('GET'), route('POST'), route('PATCH')];
const [getAsOwner, postAsOwner, patchAsOwner] = [route('GET', true), route('POST', true), route('PATCH', true)];
const even = (n: number): boolean => n % 2 === 0;
const newest = { anchor: 'newest', num_before: '100', num_after: '0' };
const ofMessage =
  (rest = ''): Text =>
  ({ messageId }) =>
    `/messages/${messageId}${rest}`;

function routesOf(organization: Organization): readonly MeasuredRoute[] {
  const channel = organization.channelName(CHANNELS.busy);
  const topic = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: BUSY_TOPIC },
  ];
  return [
    get('/server_settings'),
    get('/openapi.json'),
    get('/users'),
    get('/users/me'),
    get('/users/7'),
    get('/users/user7@example.com'),
    get('/users/2/presence'),
    get('/users/7/status'),
    get('/users/7/subscriptions/1'),
    get('/users/me/subscriptions'),
    get('/users/me/1/topics'),
    get('/users/me/alert_words'),
    get('/streams'),
    get('/streams/1'),
    get('/streams/1/members'),
    get('/get_stream_id', { stream: channel }),
    get('/messages, newest', newest, '/messages'),
    get('/messages, a topic', { ...newest, narrow: JSON.stringify(topic) }, '/messages'),
    get('/messages/{message_id}', {}, ofMessage()),
    get('/messages/{message_id}/history', {}, ofMessage('/history')),
    get('/messages/{message_id}/read_receipts', {}, ofMessage('/read_receipts')),
    get('/user_groups'),
    get('/user_groups/1/members'),
    get('/realm/presence'),
    get('/realm/emoji'),
    get('/realm/linkifiers'),
    get('/realm/profile_fields'),
    get('/channel_folders'),
    get('/navigation_views'),
    get('/drafts'),
    get('/saved_snippets'),
    get('/scheduled_messages'),
    get('/reminders'),
    get('/attachments'),
    get('/bots'),
    getAsOwner('/invites'),
    getAsOwner('/audit/events', { limit: '20' }),
    get('/events', (_, { queueId }) => ({ queue_id: queueId, last_event_id: '-1', dont_block: 'true' })),
    post('/register', { event_types: '["message"]' }),
    post('/messages', (n) => ({ type: 'channel', to: channel, topic: 'pairs', content: textOf(n) })),
    post('/messages, direct', (n) => ({ type: 'direct', to: '[5]', content: textOf(n) }), '/messages'),
    post('/messages/render', (n) => ({ content: `**${textOf(n)}** @**User 7** :smile:` })),
    patch('/messages/{message_id}', (n) => ({ content: `${textOf(n)} ${n}` }), ofMessage()),
    post('/messages/flags', (n, { messageId }) => ({
      messages: `[${messageId}]`,
      op: even(n) ? 'add' : 'remove',
      flag: 'starred',
    })),
    post(
      '/messages/{message_id}/reactions',
      (n) => ({ emoji_name: EMOJI[Math.floor(n / A_START)] ?? '' }),
      (_, n) => `/messages/${(n % OF_TOPIC) * 50 + 8}/reactions`,
    ),
    post('/typing', (n) => ({ op: even(n) ? 'start' : 'stop', to: '[5]' })),
    post('/users/me/presence', { status: 'active', ping_only: 'true' }),
    post('/users/me/presence, answered', { status: 'active', last_update_id: '-1' }, '/users/me/presence'),
    post('/users/me/status', (n) => ({ status_text: `away ${n}` })),
    post('/users/me/alert_words', (n) => ({ alert_words: JSON.stringify([`word${n % 20}`]) })),
    post('/users/me/subscriptions/properties', (n) => ({
      subscription_data: JSON.stringify([{ stream_id: 1, property: 'pin_to_top', value: even(n) }]),
    })),
    post('/user_topics', (n) => ({ stream_id: '1', topic: 'pairs', visibility_policy: even(n) ? '1' : '3' })),
    patch('/settings', (n) => ({ enter_sends: String(even(n)) })),
    post('/saved_snippets', (n) => ({ title: `Greeting ${n}`, content: textOf(n) })),
    patch(
      '/saved_snippets/{saved_snippet_id}',
      (n) => ({ title: `Greeting ${n} anew` }),
      ({ snippetId }) => `/saved_snippets/${snippetId}`,
    ),
    post('/scheduled_messages', (n) => ({
      type: 'channel',
      to: '1',
      topic: 'pairs',
      content: textOf(n),
      scheduled_delivery_timestamp: String(4_000_000_000 + n),
    })),
    postAsOwner('/users/me/subscriptions', (n) => ({ subscriptions: JSON.stringify([{ name: `pairs ${n}` }]) })),
    patchAsOwner('/streams/1', (n) => ({ description: `Description ${n}` })),
    patchAsOwner('/realm', (n) => ({ description: `Description ${n}` })),
    postAsOwner('/user_groups/create', (n) => ({ name: `pairs ${n}`, description: '', members: '[2]' })),
  ];
}

/** Messages of the busy topic, of which each gets a reaction after each start: one message of fifty is in it. */
const OF_TOPIC = 100;
const EMOJI = ['smile', 'heart', 'tada', 'rocket', 'eyes'];

interface RoutePairs {
  /** Milliseconds of this build's requests. */
  readonly times: number[];
  /** Of each pair of blocks, the release's median time to this build's: below 1, this build is slower. */
  readonly ratios: number[];
}

interface Side {
  readonly connection: Connection;
  readonly made: Made;
}

/** Measures one route after the other, both builds in turns, after several starts. @returns by the names of routes */
export async function measureRoutes(starts: AsyncIterable<Servers>): Promise<Map<string, RoutePairs>> {
  const organization = new Organization(SIZE);
  const reader = organization.account(USERS.readerOfAll);
  const owner = organization.account(USERS.owner);
  const measured = new Map<string, RoutePairs>();
  let first = 0;
  for await (const servers of starts) {
    const own = await sideOf(servers.own.port, reader, owner);
    const release = await sideOf(servers.release.port, reader, owner);
    for (const one of routesOf(organization)) {
      const pairs = measured.get(one.what) ?? { times: [], ratios: [] };
      measured.set(one.what, pairs);
      const timed = (side: Side, n: number) => timeOf(one, side, n, one.isByOwner ? owner : reader);
      await measureRoute({ own: (n) => timed(own, n), release: (n) => timed(release, n) }, first, pairs);
    }
    own.connection.close();
    release.connection.close();
    first += A_START;
  }
  return measured;
}

interface TimedRoute {
  readonly own: (n: number) => Promise<number>;
  readonly release: (n: number) => Promise<number>;
}

async function measureRoute({ own, release }: TimedRoute, first: number, pairs: RoutePairs): Promise<void> {
  let n = first;
  for (const end = n + WARM_UP; n < end; n++) {
    await own(n);
    await release(n);
  }
  for (let block = 0; block < BLOCKS; block++) {
    const [ownTimes, releaseTimes]: [number[], number[]] = [[], []];
    for (const end = n + A_BLOCK; n < end; n++) {
      // The order changes, since the second one finds the processor's caches used by the first.
      if (even(n)) ownTimes.push(await own(n));
      releaseTimes.push(await release(n));
      if (!even(n)) ownTimes.push(await own(n));
    }
    pairs.times.push(...ownTimes);
    pairs.ratios.push(median(releaseTimes) / median(ownTimes));
  }
}

async function sideOf(port: number, reader: Account, owner: Account): Promise<Side> {
  const connection = await Connection.open(port);
  await connection.send(requestOf('PATCH', '/realm', owner, { enable_read_receipts: 'true' }));
  const ask = async <Body>(path: string, parameters: Parameters): Promise<Body> =>
    successOf<Body>(await connection.send(requestOf('POST', path, reader, parameters)));
  const sent = await ask<{ id: number }>('/messages', { type: 'channel', to: '[1]', topic: 'pairs', content: 'First' });
  const snippet = await ask<{ saved_snippet_id: number }>('/saved_snippets', { title: 'First', content: 'First' });
  await ask('/users/me/presence', { status: 'active', ping_only: 'true' });
  const queue = await ask<{ queue_id: string }>('/register', { event_types: '["realm"]' });
  return {
    connection,
    made: { messageId: sent.id, snippetId: snippet.saved_snippet_id, queueId: queue.queue_id },
  };
}

async function timeOf({ what, method, path, parameters }: MeasuredRoute, side: Side, n: number, account: Account) {
  const { connection, made } = side;
  const request = requestOf(method, path(made, n), account, parameters(n, made));
  const sentAt = performance.now();
  const { status, body } = await connection.send(request);
  const time = performance.now() - sentAt;
  if (status !== 200) throw new Error(`${what} answered ${status}: ${body.toString('utf8').slice(0, 300)}`);
  return time;
}
