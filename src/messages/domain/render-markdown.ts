import MarkdownIt, { type Env } from 'markdown-it';
import { channelLinkSyntax } from './channel-link-syntax.js';
import { type NameFacts, NO_NAMES } from './content-facts.js';
import { beginWriting, mentionSyntax, quotedLines, type Writing } from './mention-syntax.js';

/** Raised whenever the same text may come out as other HTML; stored with every rendering (D6). */
export const RENDERER_VERSION = 2;

/** Longest HTML, in UTF-16 units. Text within the limits of a message passes it only by markup made to multiply. */
const MAX_RENDERED_LENGTH = 200_000;

const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'ftp', 'sftp', 'tel', 'xmpp', 'irc']);

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false })
  .use(mentionSyntax)
  .use(channelLinkSyntax)
  .use(quotedLines);
// Pictures by URL would be fetched by every reader's client from wherever the writer chose.
markdown.disable('image');
markdown.validateLink = isSafeUrl;
markdown.renderer.rules.s_open = () => '<del>';
markdown.renderer.rules.s_close = () => '</del>';
markdown.renderer.rules.fence = markdown.renderer.rules.code_block = (tokens, index) =>
  codeBlock(tokens[index]?.content ?? '');

/** What a text comes to. */
export interface Rendering extends Pick<Writing, 'userIds' | 'groups' | 'wildcards'> {
  readonly rendered: string;
}

/** From what people write to what clients show: HTML without anything that runs. Pure; takes any string. */
export function renderMarkdown(text: string): string {
  return renderMessage(text, NO_NAMES).rendered;
}

/** The same for words in which names stand for somebody. */
export function renderMessage(text: string, names: NameFacts): Rendering {
  if (PLAIN_LINE.test(text)) return { ...NOBODY, rendered: `<p>${text.replaceAll('"', '&quot;')}</p>` };
  return renderAllMarkup(text, names);
}

/** The whole grammar, also for text that has no markup; `renderMessage` gives the same and is faster. */
export function renderAllMarkup(text: string, names: NameFacts = NO_NAMES): Rendering {
  const env: Env = {};
  const writing = beginWriting(env, names);
  const rendered = markdown.render(text, env).trimEnd();
  if (rendered.length > MAX_RENDERED_LENGTH) return { ...NOBODY, rendered: withoutMarkup(text) };
  const { userIds, groups, wildcards } = writing;
  return { rendered, userIds, groups, wildcards };
}

const NOBODY = { userIds: new Set<never>(), groups: new Map<never, never>(), wildcards: new Set<never>() };

/**
 * One line of words and everyday punctuation in which nothing can be markup, a link (those need `/` or `@`) or a list
 * (a letter comes first).
 */
const PLAIN_LINE = /^\p{L}(?:[\p{L}\p{M}\p{N}"',;?.:!]| (?=[\p{L}\p{N}"'])|(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}]))*$/u;

function withoutMarkup(text: string): string {
  const lines = text.split('\n').map((line) => markdown.utils.escapeHtml(line));
  return `<p>${lines.join('<br>\n')}</p>`;
}

function codeBlock(code: string): string {
  const escaped = markdown.utils.escapeHtml(code);
  return `<div class="codehilite"><pre><span></span><code>${escaped}</code></pre></div>\n`;
}

/** @param url as it will stand in `href`: control characters and spaces are percent-encoded already */
function isSafeUrl(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  return scheme === undefined || SAFE_SCHEMES.has(scheme.toLowerCase());
}
