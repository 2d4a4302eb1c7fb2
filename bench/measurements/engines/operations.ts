import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCredentials } from '../../../src/app/config/owner-credentials.js';
import { Connection } from '../../driver/connection.js';
import { type Account, type Method, requestOf, successOf } from '../../driver/request.js';
import { becomesReady, spawnAnnals } from '../../servers/annals.js';
import { CountedMongodb } from '../../servers/counted-mongodb.js';
import type { Engines } from '../../servers/engines.js';
import { type Cost, costOf, isOperation, totalOf } from '../operations.js';
import type { Result, Row } from '../result.js';
import type { EngineBench } from './bench.js';

/** Milliseconds after an answer in which the commands that its request caused are sent. */
const AFTERWARDS = 200;
const AT_ONCE = 16;
const MESSAGES = 112;
const IDLE_SECONDS = 4;
const PATIENCE_SECONDS = 60;
const MOST_FOR_A_SEND = 8;
const MOST_AT_ONCE = 30;

type Asked = (method: Method, path: string, parameters?: Readonly<Record<string, string>>) => Promise<unknown>;

/** Counts the operations of MongoDB that requests cost, in an organization of its own with one process for everything. */
export async function measureOperations({ engines, effort, say }: EngineBench): Promise<Result> {
  const name = `${engines.documents.databaseName}-operations`;
  const dataDirectory = await mkdtemp(join(tmpdir(), 'annals-bench-operations-'));
  const mongodb = await CountedMongodb.before(urlOf(name, engines));
  const environment = {
    ...engines.environment,
    MONGODB_URL: mongodb.url,
    ANNALS_STREAM_PREFIX: `operations-${engines.streamPrefix}`,
  };
  const child = await spawnAnnals({ command: 'start', dataDirectory, profileDirectory: null, environment });
  try {
    await becomesReady(child, PATIENCE_SECONDS);
    const credentials = await readCredentials(join(dataDirectory, 'owner.zuliprc'));
    if (!credentials) throw new Error('the process has written no credentials');
    const owner = { userId: 1, email: credentials.email, apiKey: credentials.key };
    const connections = await Connection.openMany(child.port, AT_ONCE);
    say('operations of MongoDB that requests cost');
    const result = await countedRequests(connections, owner, mongodb, effort.times * 5);
    for (const connection of connections) connection.close();
    return result;
  } finally {
    await child.stop();
    await mongodb.close();
    await engines.documents.client.db(name).dropDatabase();
  }
}

async function countedRequests(
  connections: readonly Connection[],
  owner: Account,
  mongodb: CountedMongodb,
  times: number,
): Promise<Result> {
  const askedAt = (slot: number): Asked => {
    const connection = connections[slot] as Connection;
    return async (method, path, parameters) =>
      successOf(await connection.send(requestOf(method, path, owner, parameters)));
  };
  const alone = askedAt(0);
  const together = (work: (asked: Asked) => Promise<unknown>) =>
    Promise.all(connections.map((_, slot) => work(askedAt(slot))));
  const counted = async (what: string, requests: number, work: () => Promise<unknown>, most?: number) => {
    mongodb.take();
    for (let n = 0; n < times; n++) {
      await work();
      await pause(AFTERWARDS);
    }
    const cost = costOf(mongodb.take());
    rows.push(rowOf(what, cost, times, requests));
    if (most !== undefined) {
      const value = totalOf(cost) / times;
      targets.push({ what, value, unit: 'operations', bound: 'at most', limit: most });
    }
  };

  const rows: Row[] = [];
  const targets: Result['targets'] = [];
  let sent = 0;
  const message = () => ({ type: 'channel', to: 'general', topic: 'costs', content: `message ${++sent}` });
  const send = (asked: Asked) => asked('POST', '/messages', message());
  const queueId = randomUUID();
  const sendKeyed = (asked: Asked) =>
    asked('POST', '/messages', { ...message(), queue_id: queueId, local_id: String(sent) });
  await alone('POST', '/users/me/subscriptions', { subscriptions: '[{"name":"general"}]' });
  while (sent < MESSAGES) await together(send);

  mongodb.take();
  await pause(IDLE_SECONDS * 1000);
  const idle = mongodb.take().filter(isOperation).length / IDLE_SECONDS;
  rows.push({ what: 'an idle process', value: idle, unit: 'operations a second' });
  await counted('a send', 1, () => send(alone), MOST_FOR_A_SEND);
  await counted('a send with a key', 1, () => sendKeyed(alone), MOST_FOR_A_SEND);
  await counted(`${AT_ONCE} sends at once, all of them`, AT_ONCE, () => together(send), MOST_AT_ONCE);
  await counted(`${AT_ONCE} sends with keys at once, all of them`, AT_ONCE, () => together(sendKeyed), MOST_AT_ONCE);
  let id = 0;
  await counted('an edit', 1, () => alone('PATCH', `/messages/${++id}`, { content: `edited ${id}` }));
  const newest = { anchor: 'newest', num_before: '100', num_after: '0' };
  await counted('a read of 100 messages', 1, () => alone('GET', '/messages', newest));
  await counted('a registration', 1, () => alone('POST', '/register'));
  const queue = (await alone('POST', '/register')) as { queue_id: string; last_event_id: number };
  const poll = { queue_id: queue.queue_id, last_event_id: String(queue.last_event_id), dont_block: 'true' };
  await counted('a poll', 1, () => alone('GET', '/events', poll));
  return { rows, targets };
}

function rowOf(what: string, cost: Cost, times: number, requests: number): Row {
  const each = (count: number) => (count / times).toFixed(1).replace('.0', '');
  const parts = Object.entries(cost.operations).map(([name, count]) => `${each(count)} ${name}`);
  const inTransactions = Object.entries(cost.inTransactions).map(([name, count]) => `${each(count)} ${name}`);
  if (cost.transactions > 0) parts.push(`${each(cost.transactions)} transactions: ${inTransactions.join(', ')}`);
  const value = totalOf(cost) / times;
  const unit = requests === 1 ? 'operations' : `operations, ${(value / requests).toFixed(1)} each`;
  return { what, value, unit, note: parts.join(', ') };
}

const urlOf = (database: string, { documents, environment }: Engines): string =>
  (environment.MONGODB_URL ?? '').replace(`/${documents.databaseName}`, `/${database}`);
