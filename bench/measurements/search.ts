import { SEARCHED } from '../data/messages.js';
import { BUSY_TOPIC, CHANNELS, type Organization, USERS } from '../data/organization.js';
import type { MessagePage } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { median, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Bench, Effort } from './bench.js';
import type { Result } from './result.js';

const PAGE = 100;
const LIMIT_MS = 50;

interface Search {
  readonly what: string;
  readonly reader: number;
  readonly words: string;
  /** Further terms of the narrow. */
  readonly narrow?: unknown[];
  readonly fromTheMiddle?: boolean;
  readonly finds: 'page' | 'some' | 'none';
}

function searches(organization: Organization): Search[] {
  const [reader, ofOne] = [USERS.readerOfAll, USERS.readerOfOne];
  const { half, halfButQuiet, rare, nowhere, phrase, phraseOfNobody, several } = SEARCHED;
  const inChannel = (id: number) => ({ operator: 'channel', operand: organization.channelName(id) });
  const topic = { operator: 'topic', operand: BUSY_TOPIC };
  const sender = { operator: 'sender', operand: organization.account(USERS.busySender).email };
  const all = `reader of ${organization.channels} channels`;
  return [
    { what: `a word of half of them, ${all}`, reader, words: half, finds: 'page' },
    { what: `the same, from the middle, ${all}`, reader, words: half, fromTheMiddle: true, finds: 'page' },
    { what: 'a word of half of them, reader of 1 channel', reader: ofOne, words: half, finds: 'page' },
    { what: 'the same, from the middle', reader: ofOne, words: half, fromTheMiddle: true, finds: 'page' },
    { what: 'a word of half, but of none in the only channel', reader: ofOne, words: halfButQuiet, finds: 'none' },
    { what: 'a word of 1 in 5,000', reader, words: rare, finds: 'some' },
    { what: 'a word of nobody', reader, words: nowhere, finds: 'none' },
    { what: 'a phrase', reader, words: phrase, finds: 'page' },
    { what: 'a phrase of nobody, its words of everybody', reader, words: phraseOfNobody, finds: 'none' },
    { what: 'three words', reader, words: several, finds: 'page' },
    { what: 'channel + word', reader, words: half, narrow: [inChannel(CHANNELS.busy)], finds: 'page' },
    {
      what: 'channel that has none + word',
      reader,
      words: halfButQuiet,
      narrow: [inChannel(CHANNELS.quiet)],
      finds: 'none',
    },
    { what: 'topic + word', reader, words: half, narrow: [inChannel(CHANNELS.busy), topic], finds: 'page' },
    { what: 'sender + word', reader, words: half, narrow: [sender], finds: 'page' },
    { what: 'is:dm + word', reader, words: half, narrow: [{ operator: 'is', operand: 'dm' }], finds: 'page' },
  ];
}

/** Measures searches for words, in pages of 100 messages. */
export async function measureSearch({ organization, big, effort, say }: Bench): Promise<Result> {
  const connection = await Connection.open(big.port);
  const result: Result = { rows: [], targets: [] };
  try {
    for (const search of searches(organization)) {
      const what = `search ${big.messages.toLocaleString('en-US')}: ${search.what}`;
      say(what);
      const times = await measured(connection, search, organization, big.messages, effort);
      const value = median(times);
      result.rows.push({ what, value, unit: 'ms', p50: value, p99: p99(times), note: `finds: ${search.finds}` });
      result.targets.push({ what, unit: 'ms', value, bound: 'at most', limit: LIMIT_MS });
    }
  } finally {
    connection.close();
  }
  return result;
}

async function measured(
  connection: Connection,
  search: Search,
  organization: Organization,
  messages: number,
  { readBlocks, readsABlock }: Effort,
): Promise<number[]> {
  const narrow = [{ operator: 'search', operand: search.words }, ...(search.narrow ?? [])];
  const window = search.fromTheMiddle
    ? { anchor: String(Math.floor(messages / 2)), num_before: String(PAGE / 2), num_after: String(PAGE / 2) }
    : { anchor: 'newest', num_before: String(PAGE), num_after: '0' };
  const parameters = { ...window, narrow: JSON.stringify(narrow) };
  const request = requestOf('GET', '/messages', organization.account(search.reader), parameters);
  mustFind(search, successOf<MessagePage>(await connection.send(request)).messages.length);
  const times: number[] = [];
  for (let n = 0; n < readBlocks * readsABlock; n++) {
    const sentAt = performance.now();
    const { status } = await connection.send(request);
    times.push(performance.now() - sentAt);
    if (status !== 200) throw new Error(`GET /messages answered ${status}`);
  }
  return times;
}

function mustFind({ what, finds }: Search, count: number) {
  const isAsExpected = finds === 'none' ? count === 0 : finds === 'page' ? count >= PAGE - 1 : count > 0;
  if (!isAsExpected) throw new Error(`${what}: found ${count} messages`);
}
