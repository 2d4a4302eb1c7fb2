import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CHANNELS, USERS } from '../data/organization.js';
import type { EventBatch, Registration } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { type Account, requestOf, successOf } from '../driver/request.js';
import { type Attack, pause, type Target } from './attack.js';

const ATTACK_MS = 6_000;
const HEAVY = 400;
/** An emoji's HTML is eleven times as long as its name: this makes some 97,000 characters. */
const HEAVY_TEXT = ':smile: '.repeat(1_100);
const CONNECTIONS = 4;
const PIPELINED = 400;
const QUEUES = 50;
const POLLS = 1_500;
const EVENTS = 100;
const SLOW_READERS = 100;
const EXPORTS = 6;
/** With pages of megabytes, the young generation grows to its bound before it is collected. */
const MIB_OF_PAGES = 500;

const sendTo = (account: Account, channelId: number, content: string): Buffer =>
  requestOf('POST', '/messages', account, { type: 'stream', to: String(channelId), topic: 'heavy', content });

/** Fills a channel with messages that are as heavy as they may be. */
export async function sendHeavyMessages({ port, organization }: Target): Promise<void> {
  const connections = await Connection.openMany(port, CONNECTIONS);
  await Promise.all(
    connections.map(async (connection, slot) => {
      for (let n = slot; n < HEAVY; n += CONNECTIONS) {
        successOf(await connection.send(sendTo(organization.account(1), CHANNELS.everyone, HEAVY_TEXT)));
      }
      connection.close();
    }),
  );
}

const heavyPage = (account: Account, count = 5_000): Buffer =>
  requestOf('GET', '/messages', account, {
    anchor: 'newest',
    num_before: String(count),
    num_after: '0',
    narrow: JSON.stringify([{ operator: 'channel', operand: CHANNELS.everyone }]),
  });

const heavyPages: Attack = {
  name: 'pages of the heaviest messages',
  mostMiB: MIB_OF_PAGES,
  run: async ({ port, organization }) => {
    const end = performance.now() + ATTACK_MS;
    let [pages, bytes] = [0, 0];
    await Promise.all(
      (await Connection.openMany(port, CONNECTIONS)).map(async (connection, n) => {
        while (performance.now() < end) {
          const { body } = await connection.send(heavyPage(organization.account(organization.ordinaryUser(n))));
          pages += 1;
          bytes = Math.max(bytes, body.length);
        }
        connection.close();
      }),
    );
    return `${pages} pages of ${(bytes / 2 ** 20).toFixed(1)} MiB at most`;
  },
};

/** Connections that ask for much at once and, if they read, count what they are sent. */
async function flood(target: Target, count: number, request: (n: number) => Buffer, reads: boolean) {
  let bytes = 0;
  const sockets = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const socket: Socket = connect(target.port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      if (reads) {
        socket.on('data', (chunk) => {
          bytes += chunk.length;
        });
      }
      socket.write(request(n));
      return socket;
    }),
  );
  await pause(ATTACK_MS);
  for (const socket of sockets) socket.destroy();
  return bytes;
}

const pipelinedReads: Attack = {
  name: `${CONNECTIONS} connections with ${PIPELINED} reads at once`,
  run: async (target) => {
    const { organization } = target;
    const reads = (n: number) =>
      Buffer.concat(Array(PIPELINED).fill(heavyPage(organization.account(organization.ordinaryUser(n)), 100)));
    const bytes = await flood(target, CONNECTIONS, reads, true);
    return `${(bytes / 2 ** 20).toFixed(0)} MiB were read, then they hung up`;
  },
};

const slowReaders: Attack = {
  name: `${SLOW_READERS} that ask for pages and read nothing`,
  mostMiB: MIB_OF_PAGES,
  run: async (target) => {
    const { organization } = target;
    await flood(target, SLOW_READERS, (n) => heavyPage(organization.account(organization.ordinaryUser(n % 10))), false);
    return 'hung up at the end';
  },
};

const polls: Attack = {
  name: `${POLLS} polls for ${EVENTS} events each`,
  run: async ({ port, organization }) => {
    const [sender] = await Connection.openMany(port, 1);
    if (!sender) throw new Error('no connection');
    const accounts = Array.from({ length: QUEUES }, (_, n) => organization.account(organization.ordinaryUser(n % 10)));
    const queues: { account: Account; queueId: string }[] = [];
    for (const account of accounts) {
      const registered = requestOf('POST', '/register', account, { event_types: '["message"]' });
      queues.push({ account, queueId: successOf<Registration>(await sender.send(registered)).queue_id });
    }
    for (let n = 0; n < EVENTS; n++) {
      successOf(await sender.send(sendTo(organization.account(1), CHANNELS.everyone, `event ${n}`)));
    }
    const connections = await Connection.openMany(port, POLLS);
    let [events, refused] = [0, 0];
    await Promise.all(
      connections.map(async (connection, n) => {
        const queue = queues[n % QUEUES];
        if (!queue) return;
        const parameters = { queue_id: queue.queueId, last_event_id: '-1', dont_block: 'true' };
        const answer = await connection.send(requestOf('GET', '/events', queue.account, parameters));
        if (answer.status === 200) events += successOf<EventBatch>(answer).events.length;
        else refused += 1;
        connection.close();
      }),
    );
    sender.close();
    return `${events} events were read${refused > 0 ? `, ${refused} polls refused` : ''}`;
  },
};

const auditExports: Attack = {
  name: `${EXPORTS} exports of the audit, read as fast as they come`,
  run: async ({ port, organization }) => {
    const { email, apiKey } = organization.account(USERS.owner);
    const headers = {
      accept: 'text/csv',
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
    };
    const end = performance.now() + ATTACK_MS;
    let [exports, bytes] = [0, 0];
    const readOne = async (): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/audit/events`, { headers });
      if (answer.status !== 200 || !answer.body) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
      for await (const chunk of answer.body) bytes += chunk.length;
      exports += 1;
    };
    const reader = async (): Promise<void> => {
      while (performance.now() < end) await readOne();
    };
    await Promise.all(Array.from({ length: EXPORTS }, reader));
    return `${exports} exports, ${(bytes / 2 ** 20).toFixed(0)} MiB`;
  },
};

export const readAttacks: readonly Attack[] = [heavyPages, pipelinedReads, slowReaders, polls, auditExports];
