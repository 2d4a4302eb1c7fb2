import { CHANNELS, MOVED_MESSAGES, MOVED_TOPIC, USERS } from '../data/organization.js';
import type { MessagePage } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Bench } from './bench.js';
import type { Result } from './result.js';

const LIMIT_MS = 1000;
const ROUNDS = 6;

/** Moves many messages of a topic together, there and back, so that each round finds the same. */
export async function measureMoves({ organization, big, effort, say }: Bench): Promise<Result> {
  const connection = await Connection.open(big.port);
  const mover = organization.account(USERS.owner);
  const narrow = [
    { operator: 'channel', operand: organization.channelName(CHANNELS.busy) },
    { operator: 'topic', operand: MOVED_TOPIC },
  ];
  const oldest = { anchor: 'oldest', num_before: '0', num_after: '1', narrow: JSON.stringify(narrow) };
  const times: number[] = [];
  try {
    const { messages } = successOf<MessagePage>(await connection.send(requestOf('GET', '/messages', mover, oldest)));
    const [first] = messages;
    if (!first) throw new Error('there is nothing to be moved');
    const count = Math.min(MOVED_MESSAGES, Math.floor(big.messages / 50)).toLocaleString('en-US');
    const what = `move of ${count}, change_all`;
    say(what);
    for (let n = 0; n < Math.min(ROUNDS, effort.registrations); n++) {
      const parameters = {
        topic: n % 2 === 0 ? 'moved together' : MOVED_TOPIC,
        propagate_mode: 'change_all',
        send_notification_to_new_thread: 'false',
      };
      const startedAt = performance.now();
      const answer = await connection.send(requestOf('PATCH', `/messages/${first.id}`, mover, parameters));
      times.push(performance.now() - startedAt);
      successOf(answer);
    }
    const row = { what, unit: 'ms', value: p50(times), p50: p50(times), p99: p99(times) };
    return {
      rows: [row],
      targets: [{ what, unit: 'ms', value: row.value, bound: 'at most', limit: LIMIT_MS }],
    };
  } finally {
    connection.close();
  }
}
