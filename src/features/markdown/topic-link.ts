import { EMPTY_TOPIC_DISPLAY_NAME } from '../../events/messages/topic-name.js';

export const channelAddress = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `/#narrow/channel/${id}-${inHash(name.replaceAll(' ', '-'))}`;

/** The address of a message in a channel. */
export const channelMessageAddress = (
  channel: Parameters<typeof channelAddress>[0],
  topic: string,
  id: number | string,
): string => `${channelAddress(channel)}/topic/${inHash(topic)}/near/${id}`;

/** The address of a direct message. @param userIds of everyone in the conversation */
export const directMessageAddress = (userIds: readonly number[], id: number): string =>
  `/#narrow/dm/${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}/near/${id}`;

/** Matches characters in names that would end such a link, or change its meaning. */
const BREAKS_LINK = /[*>`[\]&<\\]|\$\$|@\d+$/;

/** Markdown that links to a topic, and nothing else, whatever the names of the topic and its channel. */
export function topicLink(channel: { readonly id: number; readonly name: string }, topic: string): string {
  if (![channel.name, topic].some((name) => BREAKS_LINK.test(name))) return `#**${channel.name}>${topic}**`;
  const shown = `#${channel.name} > ${topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic}`;
  const plain = shown.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `[${plain}](${channelAddress(channel)}/topic/${inHash(topic)})`;
}

/** A name as clients encode it in the fragment of an address. */
export function inHash(name: string): string {
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
  return encoded
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');
}
