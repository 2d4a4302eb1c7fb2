import { CHANNELS, SMALL_AUDIENCE } from '../data/organization.js';
import { Connection } from '../driver/connection.js';
import { median, p99 } from '../driver/figures.js';
import { successOf } from '../driver/request.js';
import type { Bench } from './bench.js';
import { sendsTo } from './requests.js';
import type { Result } from './result.js';

/** Measures sends to a channel of everybody and to one of ten people, in turn. */
export async function measureSubscribers({ organization, big, effort, say }: Bench): Promise<Result> {
  const everyone = organization.subscribersOf(CHANNELS.everyone).length.toLocaleString('en-US');
  say(`sends to a channel of ${everyone} and to one of ${SMALL_AUDIENCE}, in turn`);
  const toMany = sendsTo(organization, CHANNELS.everyone);
  const toFew = sendsTo(organization, CHANNELS.ten);
  const connection = await Connection.open(big.port);
  const timeOf = async (request: Buffer) => {
    const sentAt = performance.now();
    const answer = await connection.send(request);
    const time = performance.now() - sentAt;
    successOf(answer);
    return time;
  };

  const many: number[] = [];
  const few: number[] = [];
  const ratios: number[] = [];
  for (let n = 0; n < effort.sendsABlock; n++) {
    await timeOf(toMany(n));
    await timeOf(toFew(n));
  }
  for (let block = 0; block < effort.sendBlocks; block++) {
    const start = many.length;
    for (let n = start; n < start + effort.sendsABlock; n++) {
      if (n % 2 === 0) many.push(await timeOf(toMany(n)));
      few.push(await timeOf(toFew(n)));
      if (n % 2 === 1) many.push(await timeOf(toMany(n)));
    }
    ratios.push(median(many.slice(start)) / median(few.slice(start)));
  }
  connection.close();

  const row = (audience: string, times: number[]) => ({
    what: `send to a channel of ${audience}`,
    value: median(times),
    unit: 'ms',
    p50: median(times),
    p99: p99(times),
  });
  return {
    rows: [row(everyone, many), row(String(SMALL_AUDIENCE), few)],
    targets: [
      {
        what: `send to a channel of ${everyone}`,
        value: median(ratios),
        unit: `× of ${SMALL_AUDIENCE}`,
        bound: 'at most',
        limit: 1.5,
      },
    ],
  };
}
