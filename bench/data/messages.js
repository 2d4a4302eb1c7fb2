// @ts-check
import { RENDERER_VERSION, renderMarkdown } from '../../dist/src/messages/domain/render-markdown.js';
import { BUSY_TOPIC, CHANNELS, LONG_TOPIC, MOVED_MESSAGES, MOVED_TOPIC, USERS } from './organization.js';
import { randomFrom, textOf, topicOf, WORDS } from './words.js';

const DIFFERENT_TEXTS = 5000;
const TOPICS_A_CHANNEL = 40;
/** Of fifty messages, the one in the quiet channel. */
const QUIET_SLOT = 11;

/** What is searched: each word in the share of messages that its name says. */
export const SEARCHED = {
  half: 'always',
  /** In no message of the quiet channel. */
  halfButQuiet: 'everywhere',
  rare: 'quokka',
  nowhere: 'giraffe',
  phrase: `"${WORDS[3]} ${WORDS[10]}"`,
  phraseOfNobody: `"${WORDS[10]} ${WORDS[3]}"`,
  several: `${WORDS[3]} ${WORDS[10]} ${WORDS[17]}`,
};

/**
 * The n-th message of the log, as its event says it. Of fifty messages, five are in the busy channel (one of them in
 * the busy topic), five in the long one, one in the quiet channel, one between the reader and a partner, two between other people; one is
 * by the busy sender; the rest is spread over all channels, topics and people. The parts are the same in a log of any
 * length, so that a page of 100 is found in a short log too.
 */
export class Messages {
  /** @type {{ text: string, rendered: string, rendererVersion: number }[]} */
  #contents;

  /** @param {import('./organization.js').Organization} organization */
  constructor(organization) {
    this.organization = organization;
    this.#contents = Array.from({ length: DIFFERENT_TEXTS }, (_, n) => {
      const also = [
        n % 2 === 0 ? SEARCHED.half : '',
        n % 4 > 1 ? SEARCHED.halfButQuiet : '',
        n === 17 ? SEARCHED.rare : '',
      ];
      const text = [textOf(n), ...also.filter((word) => word !== '')].join(' ');
      return { text, rendered: renderMarkdown(text), rendererVersion: RENDERER_VERSION };
    });
  }

  /** @param {number} n from 0 */
  event(n) {
    const random = randomFrom(n + 1);
    const { senderId, recipient } = this.#who(n % 50, Math.floor(n / 50), random);
    const data = {
      senderId,
      recipient,
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: this.#content(n, random),
    };
    return { type: 'MessageSent', data };
  }

  /**
   * @param {number} n
   * @param {() => number} random
   */
  #content(n, random) {
    const any = Math.floor(random() * DIFFERENT_TEXTS);
    return this.#contents[n % 50 === QUIET_SLOT ? any - (any % 4) + (any % 2) : any];
  }

  /**
   * @param {number} slot
   * @param {number} round
   * @param {() => number} random
   */
  #who(slot, round, random) {
    const someone = this.organization.ordinaryUser(Math.floor(random() * 1e6));
    const topic = topicOf(Math.floor(random() * TOPICS_A_CHANNEL));
    if (slot === 7) return { senderId: someone, recipient: inChannel(CHANNELS.busy, BUSY_TOPIC) };
    if (slot === 47 && round < MOVED_MESSAGES)
      return { senderId: someone, recipient: inChannel(CHANNELS.busy, MOVED_TOPIC) };
    if (slot % 10 === 9) return { senderId: someone, recipient: inChannel(CHANNELS.long, LONG_TOPIC) };
    if (slot % 10 === 7) return { senderId: someone, recipient: inChannel(CHANNELS.busy, topic) };
    if (slot === QUIET_SLOT) return { senderId: someone, recipient: inChannel(CHANNELS.quiet, topic) };
    if (slot === 13) {
      const senderId = random() < 0.5 ? USERS.readerOfAll : USERS.partner;
      return { senderId, recipient: between(USERS.readerOfAll, USERS.partner) };
    }
    if (slot === 21 || slot === 34) {
      const other = this.organization.ordinaryUser(Math.floor(random() * 1e6));
      return { senderId: someone, recipient: between(someone, other) };
    }
    const channelId = this.organization.ordinaryChannel(Math.floor(random() * 1e6));
    return { senderId: slot === 42 ? USERS.busySender : someone, recipient: inChannel(channelId, topic) };
  }
}

/** @param {number} channelId @param {string} topic */
const inChannel = (channelId, topic) => ({ type: 'channel', channelId, topic });

/** @param {number[]} userIds */
const between = (...userIds) => ({ type: 'direct', userIds: [...new Set(userIds)].sort((a, b) => a - b) });
