// @ts-check
import { USERS } from '../data/organization.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';

const LIMIT_MS = 300;

/**
 * What clients ask for when they start: everything; with the subscribers of every channel, or without.
 *
 * @type {readonly { what: string, parameters: Record<string, string> }[]}
 */
const WAYS = [
  { what: 'everything', parameters: {} },
  { what: 'everything, with subscribers', parameters: { include_subscribers: 'true' } },
];

/**
 * The whole state of the organisation, as a client that starts gets it, one registration after the other.
 *
 * @param {import('./bench.js').Bench} bench
 * @returns {Promise<import('./result.js').Result>}
 */
export async function measureRegister({ organization, big, effort, say }) {
  /** @type {import('./result.js').Result} */
  const result = { rows: [], targets: [] };
  const account = organization.account(USERS.readerOfAll);
  const size = `${organization.users.toLocaleString('en-US')} users and ${organization.channels.toLocaleString('en-US')} channels`;
  for (const { what, parameters } of WAYS) {
    say(`POST /register: ${what}, of ${size}`);
    const connection = await Connection.open(big.port);
    const register = requestOf('POST', '/register', account, parameters);
    /** @type {number[]} */
    const times = [];
    let bytes = 0;
    try {
      for (let n = 0; n < effort.registrations + 1; n++) {
        const startedAt = performance.now();
        const answer = await connection.send(register);
        const time = performance.now() - startedAt;
        const { queue_id } = successOf(answer);
        bytes = answer.body.length;
        // The first finds nothing worked out.
        if (n > 0) times.push(time);
        successOf(await connection.send(requestOf('DELETE', '/events', account, { queue_id })));
      }
    } finally {
      connection.close();
    }
    const row = { what: `POST /register, ${what}`, unit: 'ms', value: p50(times), p50: p50(times), p99: p99(times) };
    result.rows.push({ ...row, note: `${(bytes / 1024 / 1024).toFixed(1)} MiB` });
    result.targets.push({ what: row.what, value: row.value, unit: 'ms', bound: 'at most', limit: LIMIT_MS });
  }
  return result;
}
