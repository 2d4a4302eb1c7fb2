// @ts-check
import { CHANNELS, USERS } from '../data/organization.js';
import { textOf, topicOf } from '../data/words.js';
import { requestOf } from '../driver/request.js';

/** @typedef {import('../data/organization.js').Organization} Organization */

const PREPARED = 4000;

/**
 * Sends by many people to many channels, as a bot of the API makes them.
 *
 * @param {Organization} organization
 * @returns {(n: number) => Buffer}
 */
export function plainSends(organization) {
  const prepared = Array.from({ length: PREPARED }, (_, n) =>
    requestOf('POST', '/messages', organization.account(organization.ordinaryUser(n * 7)), {
      type: 'channel',
      to: organization.channelName(organization.ordinaryChannel(n * 13)),
      topic: topicOf(n % 40),
      content: textOf(n),
    }),
  );
  return inTurn(prepared);
}

const DIGITS = 12;

/**
 * The same with `queue_id` and `local_id`, as interactive clients make them: each is to be stored exactly once.
 *
 * @param {Organization} organization
 * @param {string} queueId
 * @returns {(n: number) => Buffer}
 */
export function keyedSends(organization, queueId) {
  const prepared = Array.from({ length: PREPARED }, (_, n) =>
    requestOf('POST', '/messages', organization.account(organization.ordinaryUser(n * 7)), {
      type: 'channel',
      to: organization.channelName(organization.ordinaryChannel(n * 13)),
      topic: topicOf(n % 40),
      content: textOf(n),
      queue_id: queueId,
      local_id: '0'.repeat(DIGITS),
    }),
  );
  return (n) => {
    const request = Buffer.from(/** @type {Buffer} */ (prepared[n % PREPARED]));
    request.write(String(n).padStart(DIGITS, '0'), request.length - DIGITS, 'latin1');
    return request;
  };
}

/**
 * The same sender and words, to a channel of many or of few.
 *
 * @param {Organization} organization
 * @param {number} channelId
 * @returns {(n: number) => Buffer}
 */
export function sendsTo(organization, channelId) {
  const sender = organization.account(USERS.readerOfAll);
  const to = organization.channelName(channelId);
  const prepared = Array.from({ length: 500 }, (_, n) =>
    requestOf('POST', '/messages', sender, { type: 'channel', to, topic: topicOf(n % 40), content: textOf(n) }),
  );
  return inTurn(prepared);
}

/**
 * A message to the busy channel that can be told from others by its words.
 *
 * @param {Organization} organization
 * @param {string} content
 */
export const sendToBusyChannel = (organization, content) =>
  requestOf('POST', '/messages', organization.account(USERS.busySender), {
    type: 'channel',
    to: organization.channelName(CHANNELS.busy),
    topic: 'delivery',
    content,
  });

/** @param {readonly Buffer[]} prepared @returns {(n: number) => Buffer} */
function inTurn(prepared) {
  return (n) => /** @type {Buffer} */ (prepared[n % prepared.length]);
}
