import { EMPTY_TOPIC_DISPLAY_NAME } from './topic-name.js';

export const channelAddress = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `/#narrow/channel/${id}-${inHash(name.replaceAll(' ', '-'))}`;

/** What names hold that would end such a link, or make another one of it. */
const BREAKS_LINK = /[*>`[\]&<\\]|\$\$|@\d+$/;

/** Words that link to a topic, and say nothing else however it and its channel are called. */
export function topicLink(channel: { readonly id: number; readonly name: string }, topic: string): string {
  if (![channel.name, topic].some((name) => BREAKS_LINK.test(name))) return `#**${channel.name}>${topic}**`;
  const shown = `#${channel.name} > ${topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic}`;
  const plain = shown.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `[${plain}](${channelAddress(channel)}/topic/${inHash(topic)})`;
}

/** A name as clients have it in the part of an address that is theirs. */
export function inHash(name: string): string {
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
  return encoded
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');
}
