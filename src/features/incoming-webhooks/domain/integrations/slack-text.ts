import { link, webAddress } from '../safe-markdown.js';

const CODE_BLOCK = /```([\s\S]*?)```/;
const CODE = /(`[^`\n]+`)/;

/** `<https://example.com|words>`, `<#C1|general>`, `<@U1>`, `<!here>`. */
const REFERENCE = /<([^<>\n]+)>/;

const EVERYBODY: ReadonlySet<string> = new Set(['here', 'channel', 'everyone']);

/** A sign around words that stands at the edges of words, as Slack has it. */
const around = (sign: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}${sign}])${sign}(?![\\s${sign}])([^${sign}\\n]*?[^\\s${sign}])${sign}(?![\\p{L}\\p{N}${sign}])`,
    'gu',
  );
const [BOLD, ITALIC, STRUCK] = [around('\\*'), around('_'), around('~')];

/** Slack's markup as Markdown of messages. Words of a bot's owner: a mention stays one. */
export function markdownOf(slack: string): string {
  return slack
    .split(CODE_BLOCK)
    .map((part, at) => (at % 2 === 1 ? `\n\`\`\`\n${part.replace(/^\n|\n$/g, '')}\n\`\`\`\n` : outsideOfBlocks(part)))
    .join('')
    .trim();
}

const outsideOfBlocks = (text: string): string =>
  text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : outsideOfCode(part)))
    .join('');

/** Signs in a reference, such as an address's underscores, are no markup. Bold is found first: it may enclose references. */
const outsideOfCode = (text: string): string =>
  text
    .replace(BOLD, '**$1**')
    .replace(STRUCK, '~~$1~~')
    .split(REFERENCE)
    .map((part, at) => (at % 2 === 1 ? referred(part) : part.replace(ITALIC, '*$1*')))
    .join('');

function referred(reference: string): string {
  const [target = '', words = ''] = reference.split('|', 2);
  if (target.startsWith('!')) return EVERYBODY.has(target.slice(1)) ? '@**all**' : words;
  if (target.startsWith('@') || target.startsWith('#')) return words === '' ? target : `${target[0]}${words}`;
  if (words !== '') return link(decoded(words), target);
  return webAddress(target) ?? target.replace(/^mailto:/, '');
}

/** The three characters that Slack writes by name. */
export const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
