import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cost, commitsInTurn, costOf, totalOf } from '../../bench/measurements/operations.js';
import { CountedMongodb } from '../../bench/servers/counted-mongodb.js';
import type { SentCommand } from '../../bench/servers/mongodb-wire.js';
import { subscriptionsStream } from '../../src/events/channels/subscriptions.events.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { CommandRunner } from '../../src/platform/commands/command-runner.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import { databaseOf } from '../../src/platform/mongodb/mongo-url.js';
import type { MongodbProxy } from '../support/engines/mongodb/mongodb-proxy.js';
import { mongodbWith, serverWritesTogether, withDatabase } from '../support/engines/mongodb.js';
import { isShared, type OwnEngines, ownEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { EventQueue } from '../support/requests/event-queue.js';
import { type Answer, type Client, client } from '../support/requests/http.js';
import { by } from '../support/servers/annals.js';
import { RunningServer } from '../support/servers/running-server.js';

/** Milliseconds after an answer in which the commands that its request caused are sent. */
const AFTERWARDS = 150;
/** A real server's time for a commit: sends of the same moment share commits. */
const COMMIT_MS = 5;
const AT_ONCE = 16;
/** Requests of which the least counts. */
const REQUESTS = 8;

type Request = () => Promise<unknown>;
type Counts = Readonly<Record<string, number>>;

/** The smaller count of each, without those that one of them lacks. */
function fewestOf(a: Counts, b: Counts): Counts {
  const both = Object.keys(a).filter((name) => name in b);
  return Object.fromEntries(both.map((name) => [name, Math.min(a[name] ?? 0, b[name] ?? 0)]));
}

const leastOf = (a: Cost, b: Cost): Cost => ({
  operations: fewestOf(a.operations, b.operations),
  transactions: Math.min(a.transactions, b.transactions),
  inTransactions: fewestOf(a.inTransactions, b.inTransactions),
});

/**
 * Leaves out transactions that wrote nothing but the log's tree. It follows the log by itself, and no send waits for it: whether
 * its leaves share the transaction of the documents depends on when the log hands the event to each.
 */
function withoutTree(commands: readonly SentCommand[]): readonly SentCommand[] {
  const isOfTree = (name: string) => name === 'documentDatabases' || name.startsWith('transparency/');
  const others = commands.filter(({ collections }) => !collections.every(isOfTree));
  const transactions = new Set(others.map(({ transaction }) => transaction));
  return commands.filter(({ collections, transaction }) =>
    transaction === null ? collections.length === 0 || !collections.every(isOfTree) : transactions.has(transaction),
  );
}

/** The news of one change are one write of the bus; on a busy machine, up to three. */
const NEWS = { 'insert bus': 3 };
/** Scheduled messages and reminders are looked for every 10 s. */
const LOOKS = { 'find scheduled-messages/scheduled': 1, 'find reminders/reminders': 1 };
const besidesNews = (cost: Cost): number => totalOf(cost) - (cost.operations['insert bus'] ?? 0);
const A_SEND = { 'insert contentKeys': 1, 'find contentKeys': 1, ...NEWS };

/** Most operations of each request besides its news, those in transactions included: a bound for each kind of server. */
interface Bounds {
  readonly send: number;
  readonly keyedSend: number;
  readonly sendsAtOnce: number;
  readonly edit: number;
}

const TOGETHER: Bounds = { send: 3, keyedSend: 4, sendsAtOnce: 27, edit: 11 };
/** Before MongoDB 8.0, a transaction needs a command for each collection: four more if the log's tree shares it. */
const ONE_BY_ONE: Bounds = { send: 15, keyedSend: 18, sendsAtOnce: 55, edit: 19 };
/** The wire version of MongoDB 7.0. */
const BEFORE_8 = 21;

const writesTogether = await serverWritesTogether();

/** One process that does everything makes the commands of all processes. */
(isShared() ? describe : describe.skip).each(
  writesTogether
    ? [
        { server: 'the tests’ server', isOlder: false, bounds: TOGETHER },
        { server: 'a server before MongoDB 8.0', isOlder: true, bounds: ONE_BY_ONE },
      ]
    : [{ server: 'the tests’ server, before MongoDB 8.0', isOlder: false, bounds: ONE_BY_ONE }],
)('the operations that a request costs on $server', ({ isOlder, bounds }) => {
  let engines: OwnEngines;
  let older: MongodbProxy | undefined;
  let mongodb: CountedMongodb;
  let server: RunningServer;
  let api: Client;
  let sent = 0;

  beforeAll(async () => {
    engines = await ownEngines();
    const { MONGODB_URL: url = '' } = engines.environment;
    if (isOlder) older = await mongodbWith({ maxWireVersion: BEFORE_8 });
    mongodb = await CountedMongodb.before(older ? withDatabase(older.url, databaseOf(url)) : url);
    const environment = { ...engines.environment, MONGODB_URL: mongodb.url };
    server = await RunningServer.start(engines.dataDirectory, environment);
    await server.caughtUp();
    const { email, key } = await server.owner();
    api = client(server.url).as({ email, apiKey: key });
    await api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    for (let n = 0; n < 100; n += AT_ONCE) await together(() => send());
    mongodb.commitMs = COMMIT_MS;
  });
  afterAll(async () => {
    await server.stop();
    await mongodb.close();
    await older?.stop();
    await engines.remove();
  });

  const send = async (headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const answer = await api.post(
      '/messages',
      { type: 'channel', to: 'general', topic: 'costs', content: `message ${++sent}` },
      { headers },
    );
    expect(answer.body.msg).toBe('');
    return answer;
  };
  const sendKeyed = () => send({ 'Idempotency-Key': `key ${sent}` });
  const together = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: AT_ONCE }, work));

  async function costOfOne(request: Request, prepare: Request = async () => {}): Promise<Cost> {
    await prepare();
    await pause(AFTERWARDS);
    mongodb.take();
    await request();
    await pause(AFTERWARDS);
    return costOf(withoutTree(mongodb.take()));
  }

  /**
   * What several requests have in common: the least of each operation. On a busy machine, one write may become two, and what one
   * request left behind, or work of every minute, falls into the time of another.
   */
  async function leastCost(request: Request, prepare?: Request): Promise<Cost> {
    let least = await costOfOne(request, prepare);
    for (let n = 1; n < REQUESTS; n++) least = leastOf(least, await costOfOne(request, prepare));
    return least;
  }

  function expectAtMost(cost: Cost, operations: Cost['operations'], transactions: number): void {
    const more = Object.entries(cost.operations).filter(([name, count]) => count > (operations[name] ?? 0));
    expect(Object.fromEntries(more)).toEqual({});
    expect(cost.transactions).toBeLessThanOrEqual(transactions);
    if (bounds === TOGETHER && cost.transactions > 0)
      expect(cost.inTransactions).toEqual({ bulkWrite: cost.transactions });
  }

  // Polls come last: for a minute, the process reads new events for the next ones.
  it('of a send', async () => {
    const cost = await leastCost(() => send());
    expectAtMost(cost, A_SEND, 1);
    expect(besidesNews(cost)).toBeLessThanOrEqual(bounds.send);
  });

  it('of a send with a key', async () => {
    const cost = await leastCost(sendKeyed);
    expectAtMost(cost, { ...A_SEND, 'find sends/sends': 1 }, 1);
    expect(besidesNews(cost)).toBeLessThanOrEqual(bounds.keyedSend);
  });

  it('of many sends at once, with and without keys', async () => {
    for (const one of [() => send(), sendKeyed]) {
      const cost = await leastCost(() => together(one));
      expect(besidesNews(cost)).toBeLessThanOrEqual(bounds.sendsAtOnce);
      expect(cost.transactions).toBeLessThanOrEqual(4);
    }
  });

  it('of an edit', async () => {
    let id = 0;
    const cost = await leastCost(() => api.patch(`/messages/${++id}`, { content: `edited ${id}` }));
    // How often keys and moves are looked up depends on which projection comes first.
    expect(besidesNews(cost)).toBeLessThanOrEqual(bounds.edit);
    expect(cost.transactions).toBeLessThanOrEqual(3);
  });

  // Other requests cost the same on all servers.
  if (isOlder) return;

  it('of a read of 100 messages', async () => {
    const page = () => api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 });
    const flags = { 'find read-state/flags': 1, 'find read-state/mutes': 1, 'find personal/lists': 1 };
    expectAtMost(await leastCost(page), { ...flags, 'find messages/messages': 1, 'find messages/arrivals': 1 }, 0);
  });

  it('of a registration', async () => {
    const ofMessages = {
      'find messages/messages': 7,
      'find messages/deleted': 5,
      'find messages/places': 2,
      'find messages/blocks': 3,
      'find client-events/channels': 2,
    };
    // Read again once the documents of flags have come further. Whether they have depends on when their news arrive.
    const flags = { 'find read-state/flags': 1, 'find read-state/mutes': 1 };
    const own = { 'find personal/topicPolicies': 1, 'find personal/lists': 1 };
    const drafts = { 'find drafts/drafts': 1, 'find drafts/owners': 1 };
    const snippets = { 'find saved-snippets/snippets': 1, 'find saved-snippets/owners': 1 };
    const views = { 'find navigation-views/views': 1, 'find navigation-views/owners': 1 };
    const scheduled = { 'find scheduled-messages/scheduled': 2, 'find scheduled-messages/owners': 1 };
    const reminders = { 'find reminders/reminders': 2, 'find reminders/owners': 1 };
    const statuses = { 'find user-statuses/statuses': 1, 'find user-statuses/owners': 1 };
    const cost = await leastCost(() => api.post('/register'));
    const devices = { 'find push-devices/devices': 1, 'find push-devices/owners': 1 };
    const newer = { ...scheduled, ...reminders, ...statuses, ...devices };
    expectAtMost(cost, { ...ofMessages, ...flags, ...own, ...drafts, ...snippets, ...views, ...newer, ...NEWS }, 1);
  });

  it('of the first poll of a queue, and of the next', async () => {
    let queue = await EventQueue.register(api);
    const another = async () => {
      queue = await EventQueue.register(api);
    };
    const poll = () => queue.poll({ dont_block: true });
    const first = { 'find event-queues/queues': 1, 'find client-events/events': 1, 'find client-events/retention': 1 };
    // Checkpoints of the second before may be stored meanwhile.
    expectAtMost(await leastCost(poll, another), { ...first, ...NEWS, ...LOOKS }, 1);
    expectAtMost(await leastCost(poll), NEWS, 0);
  });

  it('of a send that a client waits for', async () => {
    const queue = await EventQueue.register(api);
    await send();
    await queue.poll();
    const delivered = () => Promise.all([queue.poll(), send()]);
    const delivery = { 'find client-events/events': 1, 'find messages/messages': 1 };
    const flags = { 'find personal/lists': 1, 'find read-state/mutes': 1 };
    expectAtMost(await leastCost(delivered), { ...A_SEND, ...delivery, ...flags }, 1);
  });

  it('of each of many who leave a channel', async () => {
    const name = 'left';
    await api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const channelId: number = (await api.get('/get_stream_id', { stream: name })).body.stream_id;
    // The ids need no accounts: only the subscriptions matter here.
    const data = { channelId, userIds: Array.from({ length: 400 }, (_, n) => 1000 + n) };
    const own = await openEngines(engines.settings);
    try {
      const runner = new CommandRunner(own.eventStore, own.contentKeys, new EventCodec(own.contentKeys, eventRegistry));
      await runner.report(subscriptionsStream(channelId), { type: 'UsersSubscribed', data }, by);
      await api.post('/messages', { type: 'channel', to: name, topic: 'left', content: 'unread' });
      mongodb.take();
      const left = await runner.report(subscriptionsStream(channelId), { type: 'UsersUnsubscribed', data }, by);
      const told = { after: left.position, limit: 1000, filter: { types: ['FlagsAdded'] } };
      await eventually(async () => {
        expect((await own.eventStore.readAll(told)).events).toHaveLength(data.userIds.length);
      }, 60_000);
    } finally {
      await own.close();
    }
    expect(totalOf(costOf(mongodb.take()))).toBeLessThanOrEqual(data.userIds.length / 2);
  });

  it('and how many commits a send waits for', async () => {
    // Commits that another one waits for are told apart by this time, however slow the machine is.
    mongodb.commitMs = 500;
    for (const one of [() => send(), sendKeyed]) {
      // A send can meet the writes that the one before left behind: on a busy machine they end before it has begun its own.
      let commits = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 20 && commits > 2; n++) {
        await pause(AFTERWARDS);
        mongodb.take();
        mongodb.takeHeld();
        const begun = performance.now();
        await one();
        const own = mongodb.takeHeld().filter(({ from }) => from >= begun);
        commits = Math.min(commits, commitsInTurn(own, withoutTree(mongodb.take())));
      }
      expect(commits).toBe(2);
    }
  });
});
