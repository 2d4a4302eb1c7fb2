import { USERS } from '../data/organization.js';
import type { Registration } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Bench } from './bench.js';
import type { Result } from './result.js';

const LIMIT_MS = 300;

/** The parameters of clients that start: all ask for everything, some for the subscribers of every channel, too. */
const WAYS: readonly { what: string; parameters: Record<string, string> }[] = [
  { what: 'everything', parameters: {} },
  { what: 'everything, with subscribers', parameters: { include_subscribers: 'true' } },
];

/** Measures registrations, one after the other, that answer with the whole state of the organisation. */
export async function measureRegister({ organization, big, effort, say }: Bench): Promise<Result> {
  const result: Result = { rows: [], targets: [] };
  const account = organization.account(USERS.readerOfAll);
  const size = `${organization.users.toLocaleString('en-US')} users and ${organization.channels.toLocaleString('en-US')} channels`;
  for (const { what, parameters } of WAYS) {
    say(`POST /register: ${what}, of ${size}`);
    const connection = await Connection.open(big.port);
    const register = requestOf('POST', '/register', account, parameters);
    const times: number[] = [];
    let bytes = 0;
    try {
      for (let n = 0; n < effort.registrations + 1; n++) {
        const startedAt = performance.now();
        const answer = await connection.send(register);
        const time = performance.now() - startedAt;
        const { queue_id } = successOf<Registration>(answer);
        bytes = answer.body.length;
        // The first does not count: it finds nothing remembered.
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
