// @ts-check
import { BUSY_TOPIC, CHANNELS, USERS } from '../data/organization.js';
import { Connection } from '../driver/connection.js';
import { median, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';

const PAGE = 100;

/**
 * `slot`: which of fifty messages is in the narrow (see Messages), so that the middle can be named.
 *
 * @typedef {object} Query
 * @property {string} what
 * @property {number} reader
 * @property {unknown[]} narrow
 * @property {number} slot
 * @property {readonly ('first' | 'middle' | 'newest')[]} places
 * @property {boolean} [isTarget]
 */

const EVERYWHERE = /** @type {const} */ (['first', 'middle', 'newest']);

/** @param {import('../data/organization.js').Organization} organization @returns {Query[]} */
function queries(organization) {
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

/**
 * Pages of 100 messages from a long log and from a short one, in turn.
 *
 * @param {import('./bench.js').Bench} bench
 * @returns {Promise<import('./result.js').Result>}
 */
export async function measureReads({ organization, big, small, effort, say }) {
  const long = await Connection.open(big.port);
  const short = await Connection.open(small.port);
  /** @type {import('./result.js').Result} */
  const result = { rows: [], targets: [] };
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

/**
 * @param {import('../data/organization.js').Organization} organization
 * @param {Query} query
 * @param {'first' | 'middle' | 'newest'} place
 * @param {number} messages
 */
function pageOf(organization, query, place, messages) {
  const middle = Math.floor(messages / 2 / 50) * 50 + query.slot + 1;
  const window = {
    first: { anchor: 'oldest', num_before: '0', num_after: String(PAGE) },
    middle: { anchor: String(middle), num_before: String(PAGE / 2), num_after: String(PAGE / 2 - 1) },
    newest: { anchor: 'newest', num_before: String(PAGE), num_after: '0' },
  }[place];
  const parameters = { ...window, narrow: JSON.stringify(query.narrow) };
  return requestOf('GET', '/messages', organization.account(query.reader), parameters);
}

/**
 * @typedef {{ connection: Connection, request: Buffer }} Page
 *
 * @param {Page} longPage
 * @param {Page} shortPage
 * @param {import('./bench.js').Effort} effort
 * @returns {Promise<{ long: number[], ratio: number }>} `ratio`: median of the blocks' ratios of medians
 */
async function inTurn(longPage, shortPage, { readBlocks, readsABlock }) {
  for (let n = 0; n < readsABlock; n++) {
    await mustHoldAPage(longPage);
    await mustHoldAPage(shortPage);
  }
  /** @type {number[]} */
  const all = [];
  /** @type {number[]} */
  const ratios = [];
  for (let block = 0; block < readBlocks; block++) {
    /** @type {number[]} */
    const long = [];
    /** @type {number[]} */
    const short = [];
    for (let n = 0; n < readsABlock; n++) {
      // Whoever comes second finds the processor's caches used by the other.
      if (n % 2 === 0) long.push(await timeOf(longPage));
      short.push(await timeOf(shortPage));
      if (n % 2 === 1) long.push(await timeOf(longPage));
    }
    all.push(...long);
    ratios.push(median(long) / median(short));
  }
  return { long: all, ratio: median(ratios) };
}

/** @param {Page} page */
async function timeOf({ connection, request }) {
  const sentAt = performance.now();
  const { status } = await connection.send(request);
  const time = performance.now() - sentAt;
  if (status !== 200) throw new Error(`GET /messages answered ${status}`);
  return time;
}

/** @param {Page} page */
async function mustHoldAPage({ connection, request }) {
  const { messages } = successOf(await connection.send(request));
  if (messages.length !== PAGE) throw new Error(`a page of ${messages.length} messages, not ${PAGE}: ${request}`);
}
