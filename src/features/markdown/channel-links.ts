import { EMPTY_TOPIC_DISPLAY_NAME } from '../../events/messages/topic-name.js';
import { type Rule, replaced } from './rule.js';
import { channelAddress, channelMessageAddress, inHash } from './topic-link.js';
import { element, type Node } from './tree.js';

const LINK = /(?<![^\s'"({[|/<])#\*\*([^*>]+)(?:>([^*]*))?\*\*/g;
const AT_MESSAGE = /^(.*)@(\d+)$/s;

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`: links to channels that the writer sees. */
export const channelLinks: Rule = (words, { stash, writing }) => {
  if (!words.includes('#**')) return words;
  return replaced(words, LINK, ([, called = '', target]) => {
    const name = stash.asWritten(called);
    const place = target === undefined ? undefined : stash.asWritten(target);
    const inChannel = writing.names.channel(name);
    // A channel's name may hold the sign that stands before a topic.
    const channel = inChannel ?? (place === undefined ? undefined : writing.names.channel(`${name}>${place}`));
    if (!channel) return null;
    const behind = inChannel ? place : undefined;
    const to = channelAddress(channel);
    const [, named, messageId] = AT_MESSAGE.exec(behind ?? '') ?? [];
    const topic = named ?? behind;
    const id = { 'data-stream-id': String(channel.id) };
    if (topic === undefined) return stash.put(element('a', { class: 'stream', ...id, href: to }, [`#${channel.name}`]));
    const shown: Node[] = [`#${channel.name} > `, topicShown(topic)];
    if (messageId !== undefined) {
      const href = channelMessageAddress(channel, topic, messageId);
      return stash.put(element('a', { class: 'message-link', href }, [...shown, ' @ 💬']));
    }
    const newest = channel.newestIn(topic);
    const href = `${to}/topic/${inHash(topic)}${newest === null ? '' : `/with/${newest}`}`;
    return stash.put(element('a', { class: 'stream-topic', ...id, href }, shown));
  });
};

const topicShown = (topic: string): Node => (topic === '' ? element('em', {}, [EMPTY_TOPIC_DISPLAY_NAME]) : topic);
