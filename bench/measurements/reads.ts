import { BUSY_TOPIC, CHANNELS, type Organization, USERS } from '../data/organization.js';
import type { MessagePage } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { median, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Bench, Effort } from './bench.js';
import type { Result } from './result.js';

const PAGE = 100;

/** A narrow that is read; `slot` is one of its messages' slots of fifty (see Messages), which locates the middle. */
interface Query {
  readonly what: string;
  readonly reader: number;
  readonly narrow: unknown[];
  readonly slot: number;
  readonly places: readonly ('first' | 'middle' | 'newest')[];
  readonly isTarget?: boolean;
}

const EVERYWHERE = ['first', 'middle', 'newest'] as const;

function queries(organization: Organization): Query[] {
  const reader = USERS.readerOfAll;
  const busy = { operator: 'channel', operand: organization.channelName(CHANNELS.busy) };
  const topic = { operator: 'topic', operand: BUSY_TOPIC };
  const sender = { operator: 'sender', operand: organization.account(USERS.busySender).email };
  const dm = { operator: 'dm', operand: [USERS.partner] };
  return [
    {
      what: `all, reader of ${organization.channels} channels`,
      reader,
      narrow: [],
      slot: 0,
      places: EVERYWHERE,
      isTarget: true,
    },
    { what: 'all, reader of 1 channel', reader: USERS.readerOfOne, narrow: [], slot: 11, places: EVERYWHERE },
    { what: 'channel', reader, narrow: [busy], slot: 7, places: EVERYWHERE },
    { what: 'channel + topic', reader, narrow: [busy, topic], slot: 7, places: EVERYWHERE },
    { what: 'sender', reader, narrow: [sender], slot: 42, places: EVERYWHERE },
    { what: 'dm', reader, narrow: [dm], slot: 13, places: EVERYWHERE },
  ];
}

/** Measures pages of 100 messages from a long log and from a short one, in turn. */
export async function measureReads({ organization, big, small, effort, say }: Bench): Promise<Result> {
  const long = await Connection.open(big.port);
  const short = await Connection.open(small.port);
  const result: Result = { rows: [], targets: [] };
  try {
    for (const query of queries(organization)) {
      for (const place of query.places) {
        const what = `100 of ${big.messages.toLocaleString('en-US')}: ${query.what}, ${place}`;
        say(what);
        const times = await inTurn(
          { connection: long, request: pageOf(organization, query, place, big.messages) },
          { connection: short, request: pageOf(organization, query, place, small.messages) },
          effort,
        );
        const comparison = `${times.ratio.toFixed(2)} × the same of ${small.messages.toLocaleString('en-US')}`;
        const value = median(times.long);
        result.rows.push({ what, value, unit: 'ms', p50: value, p99: p99(times.long), note: comparison });
        if (query.isTarget) {
          const relative = { unit: `× of ${small.messages.toLocaleString('en-US')}`, value: times.ratio };
          result.targets.push({ what, ...relative, bound: 'at most', limit: 1.3 });
        }
      }
    }
  } finally {
    long.close();
    short.close();
  }
  return result;
}

function pageOf(organization: Organization, query: Query, place: 'first' | 'middle' | 'newest', messages: number) {
  const middle = Math.floor(messages / 2 / 50) * 50 + query.slot + 1;
  const window = {
    first: { anchor: 'oldest', num_before: '0', num_after: String(PAGE) },
    middle: { anchor: String(middle), num_before: String(PAGE / 2), num_after: String(PAGE / 2 - 1) },
    newest: { anchor: 'newest', num_before: String(PAGE), num_after: '0' },
  }[place];
  const parameters = { ...window, narrow: JSON.stringify(query.narrow) };
  return requestOf('GET', '/messages', organization.account(query.reader), parameters);
}

type Page = { connection: Connection; request: Buffer };

/** @returns all times of the long log, and the median of the blocks' ratios of medians */
async function inTurn(
  longPage: Page,
  shortPage: Page,
  { readBlocks, readsABlock }: Effort,
): Promise<{ long: number[]; ratio: number }> {
  for (let n = 0; n < readsABlock; n++) {
    await mustHoldAPage(longPage);
    await mustHoldAPage(shortPage);
  }
  const all: number[] = [];
  const ratios: number[] = [];
  for (let block = 0; block < readBlocks; block++) {
    const long: number[] = [];
    const short: number[] = [];
    for (let n = 0; n < readsABlock; n++) {
      // The order changes, since the second one finds the processor's caches used by the first.
      if (n % 2 === 0) long.push(await timeOf(longPage));
      short.push(await timeOf(shortPage));
      if (n % 2 === 1) long.push(await timeOf(longPage));
    }
    all.push(...long);
    ratios.push(median(long) / median(short));
  }
  return { long: all, ratio: median(ratios) };
}

async function timeOf({ connection, request }: Page) {
  const sentAt = performance.now();
  const { status } = await connection.send(request);
  const time = performance.now() - sentAt;
  if (status !== 200) throw new Error(`GET /messages answered ${status}`);
  return time;
}

async function mustHoldAPage({ connection, request }: Page) {
  const { messages } = successOf<MessagePage>(await connection.send(request));
  if (messages.length !== PAGE) throw new Error(`a page of ${messages.length} messages, not ${PAGE}: ${request}`);
}
