import { ask, connectToServer } from '../../src/app/cli/control-client.js';
import { CHANNELS, type Organization, USERS } from '../data/organization.js';
import type { SentMessage } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { after, closedLoop, type LoadResult, steadyRate, whenSettled } from '../driver/load.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Bench, MeasuredServer } from './bench.js';
import { plainSends } from './requests.js';
import type { Result } from './result.js';

const STEADY = 100;
const CONCURRENCY = 16;

/**
 * Measures a rebuild of everything while the server runs: without other work, under few sends at a steady rate, and
 * under as many sends as the server takes.
 */
export async function measureRebuild({ organization, big, effort, say }: Bench): Promise<Result> {
  const request = plainSends(organization);
  const port = big.port;
  const steady = (isOver: () => boolean) => steadyRate({ port, request, perSecond: STEADY, isOver });
  const saturating = (isOver: () => boolean) => closedLoop({ port, request, concurrency: CONCURRENCY, isOver });
  const seconds = effort.normalSeconds;

  say('rebuilding every projection');
  const alone = await rebuild(big, organization);

  await saturating(after(effort.warmUpSeconds));
  say(`${STEADY} sends/s`);
  const steadyNormal = await steady(after(seconds));
  say(`${STEADY} sends/s while every projection is rebuilt`);
  const steadyRebuild = rebuild(big, organization);
  const steadyMeanwhile = await steady(whenSettled(steadyRebuild));
  await steadyRebuild;

  say(`sends, ${CONCURRENCY} at a time`);
  const normal = await saturating(after(seconds));
  say(`sends, ${CONCURRENCY} at a time, while every projection is rebuilt`);
  const busyRebuild = rebuild(big, organization);
  const meanwhile = await saturating(whenSettled(busyRebuild));
  const busy = await busyRebuild;

  const row = (what: string, result: LoadResult) => ({
    what,
    value: result.perSecond,
    unit: '/s',
    p50: result.p50,
    p99: result.p99,
  });
  const p99Target = { unit: '× normal', bound: 'at most', limit: 2 } as const;
  return {
    rows: [
      {
        what: `rebuild of all projections, ${alone.events.toLocaleString('en-US')} events`,
        value: alone.events / alone.seconds,
        unit: 'events/s',
        note: `${alone.seconds.toFixed(1)} s, resident memory up to ${Math.round(alone.memory)} MiB`,
      },
      {
        what: 'the same under saturating sends',
        value: busy.events / busy.seconds,
        unit: 'events/s',
        note: `${busy.seconds.toFixed(1)} s`,
      },
      row(`${STEADY} sends/s, normally`, steadyNormal),
      row(`${STEADY} sends/s, during a rebuild`, steadyMeanwhile),
      row(`sends ${CONCURRENCY} at a time, normally`, normal),
      row(`sends ${CONCURRENCY} at a time, during a rebuild`, meanwhile),
    ],
    targets: [
      {
        what: 'rebuild of all projections',
        value: alone.events / alone.seconds,
        unit: 'events/s',
        bound: 'at least',
        limit: 15_000,
      },
      {
        what: `p99 of ${STEADY} sends/s during a rebuild`,
        value: steadyMeanwhile.p99 / steadyNormal.p99,
        ...p99Target,
      },
      {
        what: `p99 of sends ${CONCURRENCY} at a time during a rebuild`,
        value: meanwhile.p99 / normal.p99,
        ...p99Target,
      },
    ],
  };
}

async function rebuild(server: MeasuredServer, organization: Organization) {
  const events = server.organizationEvents + (await newestMessageId(server.port, organization));
  let memory = server.child.residentMemory();
  const watching = setInterval(() => {
    memory = Math.max(memory, server.child.residentMemory());
  }, 1000);
  try {
    const socket = await connectToServer(server.dataDirectory);
    if (!socket) throw new Error('the server does not listen for commands');
    const startedAt = performance.now();
    await ask(socket, { request: 'rebuild', projections: null });
    return { events, seconds: (performance.now() - startedAt) / 1000, memory };
  } finally {
    clearInterval(watching);
  }
}

/**
 * Sends a message to learn its id. Ids are the messages' numbers in the log, so the newest one says how many there are.
 */
async function newestMessageId(port: number, organization: Organization): Promise<number> {
  const connection = await Connection.open(port);
  const to = organization.channelName(CHANNELS.ten);
  const message = { type: 'channel', to, topic: 'count', content: 'How many are we?' };
  const answer = await connection.send(
    requestOf('POST', '/messages', organization.account(USERS.readerOfAll), message),
  );
  connection.close();
  return successOf<SentMessage>(answer).id;
}
