import type { MessageContent, MessageSent, Recipient } from '../../src/events/messages/messages.events.js';
import { RENDERER_VERSION, renderMarkdown } from '../../src/features/markdown/render-markdown.js';
import { cyclic } from '../driver/cyclic.js';
import {
  BUSY_TOPIC,
  CHANNELS,
  LONG_TOPIC,
  MOVED_MESSAGES,
  MOVED_TOPIC,
  type Organization,
  USERS,
} from './organization.js';
import { randomFrom, textOf, topicOf, WORDS } from './words.js';

const DIFFERENT_TEXTS = 5000;
const TOPICS_A_CHANNEL = 40;
/** The slot, of fifty, of the messages in the quiet channel. */
const QUIET_SLOT = 11;

/** The words that are searched for, by the share of messages that hold them. */
export const SEARCHED = {
  half: 'always',
  /** Held by half of the messages, but by none in the quiet channel. */
  halfButQuiet: 'everywhere',
  rare: 'quokka',
  nowhere: 'giraffe',
  phrase: `"${WORDS[3]} ${WORDS[10]}"`,
  phraseOfNobody: `"${WORDS[10]} ${WORDS[3]}"`,
  several: `${WORDS[3]} ${WORDS[10]} ${WORDS[17]}`,
};

/**
 * Makes the messages of the log. Of fifty, five are in the busy channel (one of them in the busy topic), five in the
 * long one, one in the quiet channel, one between the reader and a partner, two between other people; one is by the
 * busy sender; the rest is spread over all channels, topics and people. The parts are the same in a log of any length,
 * so that a page of 100 is found in a short log too.
 */
export class Messages {
  readonly #contents: readonly MessageContent[];

  constructor(private readonly organization: Organization) {
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

  /** @param n from 0 */
  event(n: number): MessageSent {
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

  #content(n: number, random: () => number): MessageContent {
    const any = Math.floor(random() * DIFFERENT_TEXTS);
    return cyclic(this.#contents, n % 50 === QUIET_SLOT ? any - (any % 4) + (any % 2) : any);
  }

  #who(slot: number, round: number, random: () => number): { senderId: number; recipient: Recipient } {
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

const inChannel = (channelId: number, topic: string): Recipient => ({ type: 'channel', channelId, topic });

const between = (...userIds: number[]): Recipient => ({
  type: 'direct',
  userIds: [...new Set(userIds)].sort((a, b) => a - b),
});
