import type { MarkdownIt } from 'markdown-it';
import { beginsName, matchAt, writingOf } from './mention-syntax.js';
import { channelAddress, inHash } from './topic-link.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from './topic-name.js';

const LINK = /#\*\*([^*>]+)(?:>([^*]*))?\*\*/y;
const AT_MESSAGE = /^(.*)@(\d+)$/s;

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`: links to what the writer sees. */
export function channelLinkSyntax(markdown: MarkdownIt): void {
  const { escapeHtml } = markdown.utils;
  markdown.inline.ruler.before('emphasis', 'channel_link', (state, isLookingAhead) => {
    const writing = writingOf(state.env);
    if (!writing || state.src[state.pos] !== '#' || state.linkLevel > 0 || !beginsName(state)) return false;
    const match = matchAt(LINK, state);
    const channel = match && writing.names.channel(match[1] ?? '');
    if (!match || !channel) return false;
    if (!isLookingAhead) {
      const token = state.push('channel_link', 'a', 0);
      const to = channelAddress(channel);
      const shown = `#${escapeHtml(channel.name)}`;
      const id: [string, string] = ['data-stream-id', String(channel.id)];
      const [, named, messageId] = AT_MESSAGE.exec(match[2] ?? '') ?? [];
      const topic = named ?? match[2];
      if (topic === undefined) {
        token.attrs = [['class', 'stream'], id, ['href', to]];
        token.content = shown;
      } else if (messageId === undefined) {
        const newest = channel.newestIn(topic);
        const through = newest === null ? '' : `/with/${newest}`;
        token.attrs = [['class', 'stream-topic'], id, ['href', `${to}/topic/${inHash(topic)}${through}`]];
        token.content = `${shown} &gt; ${topicShown(topic, escapeHtml)}`;
      } else {
        token.attrs = [
          ['class', 'message-link'],
          ['href', `${to}/topic/${inHash(topic)}/near/${messageId}`],
        ];
        token.content = `${shown} &gt; ${topicShown(topic, escapeHtml)} @ 💬`;
      }
    }
    state.pos += match[0].length;
    return true;
  });
  markdown.renderer.rules.channel_link = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index];
    return token ? `<a${renderer.renderAttrs(token)}>${token.content}</a>` : '';
  };
}

const topicShown = (topic: string, escaped: (text: string) => string): string =>
  topic === '' ? `<em>${EMPTY_TOPIC_DISPLAY_NAME}</em>` : escaped(topic);
