import { CHANNELS, type Organization, USERS } from '../data/organization.js';
import { textOf, topicOf } from '../data/words.js';
import type { MessageEvent } from '../driver/answers.js';
import { cyclic } from '../driver/cyclic.js';
import { requestOf } from '../driver/request.js';

const PREPARED = 4000;

/** Prepares sends by many people to many channels, as bots make them. */
export function plainSends(organization: Organization): (n: number) => Buffer {
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

/** Prepares the same sends with `queue_id` and `local_id`, as interactive clients make them. */
export function keyedSends(organization: Organization, queueId: string): (n: number) => Buffer {
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
    const request = Buffer.from(cyclic(prepared, n));
    request.write(String(n).padStart(DIGITS, '0'), request.length - DIGITS, 'latin1');
    return request;
  };
}

/** Prepares sends by one user to one channel. */
export function sendsTo(organization: Organization, channelId: number): (n: number) => Buffer {
  const sender = organization.account(USERS.readerOfAll);
  const to = organization.channelName(channelId);
  const prepared = Array.from({ length: 500 }, (_, n) =>
    requestOf('POST', '/messages', sender, { type: 'channel', to, topic: topicOf(n % 40), content: textOf(n) }),
  );
  return inTurn(prepared);
}

/** Makes a send to the busy channel. */
export const sendToBusyChannel = (organization: Organization, content: string) =>
  requestOf('POST', '/messages', organization.account(USERS.busySender), {
    type: 'channel',
    to: organization.channelName(CHANNELS.busy),
    topic: 'delivery',
    content,
  });

/** Makes a request that has bare Fastify answer all polls with an event that says this. */
export const sendOfEvent = (event: MessageEvent, content: string) =>
  requestOf('POST', '/messages', null, {
    content,
    event: JSON.stringify({ ...event, message: { ...event.message, content } }),
  });

function inTurn(prepared: readonly Buffer[]): (n: number) => Buffer {
  return (n) => cyclic(prepared, n);
}
