import { refuse } from '../../../../platform/kernel/deciding.js';
import type { Integration } from '../integration.js';
import type { Payload } from '../payload.js';
import { link, plain, webAddress } from '../safe-markdown.js';
import { richText } from './slack-rich-text.js';
import { decoded, markdownOf } from './slack-text.js';

/** What programs post that were written for Slack's incoming webhooks. */
export const slack: Integration = {
  name: 'slack_incoming',
  service: 'Slack',
  read: (payload) => {
    const channel = payload.maybe('channel').replace(/^[#@]/, '');
    return { topic: channel === '' ? null : channel, content: contentOf(payload) };
  },
};

/** Blocks, or else the text; then attachments. */
function contentOf(payload: Payload): string {
  const blocks = paragraphs(payload.items('blocks').map(blockOf));
  const main = blocks === '' ? markdownOf(payload.maybe('text')) : blocks;
  const content = paragraphs([main, ...payload.items('attachments').map(attachmentOf)]);
  return content === '' ? refuse('PAYLOAD_SAYS_NOTHING', { fields: 'text, blocks and attachments' }) : content;
}

function attachmentOf(attachment: Payload): string {
  const content = paragraphs([
    markdownOf(attachment.maybe('pretext')),
    linked(attachment, 'author_name', 'author_link'),
    strong(linked(attachment, 'title', 'title_link')),
    markdownOf(attachment.maybe('text')),
    paragraphs(attachment.items('blocks').map(blockOf)),
    attachment.items('fields').map(fieldOf).filter(isSaid).join('\n'),
    imageOf(attachment, 'fallback'),
    plain(decoded(attachment.maybe('footer'))),
  ]);
  return content === '' ? markdownOf(attachment.maybe('fallback')) : content;
}

function fieldOf(field: Payload): string {
  const [title, value] = [strong(plain(decoded(field.maybe('title')))), markdownOf(field.maybe('value'))];
  return title === '' || value === '' ? title + value : `${title}: ${value}`;
}

function blockOf(block: Payload): string {
  switch (block.maybe('type')) {
    case 'header':
      return strong(plain(block.maybe('text.text')));
    case 'section':
      return paragraphs([
        textOf(block, 'text'),
        ...block.items('fields').map((field) => textOf(field)),
        block.has('accessory.type') ? elementOf(block, 'accessory.') : '',
      ]);
    case 'context':
    case 'actions':
      return block
        .items('elements')
        .map((element) => elementOf(element))
        .filter(isSaid)
        .join(' ');
    case 'image':
      return imageOf(block, 'alt_text');
    case 'divider':
      return '---';
    case 'markdown':
      return block.maybe('text');
    case 'rich_text':
      return richText(block);
    default:
      return '';
  }
}

/** A part of a section, of a context or of actions. */
function elementOf(element: Payload, at = ''): string {
  switch (element.maybe(`${at}type`)) {
    case 'button':
      return element.has(`${at}url`) ? link(element.maybe(`${at}text.text`), element.maybe(`${at}url`)) : '';
    case 'image':
      return imageOf(element, 'alt_text', at);
    default:
      return at === '' ? textOf(element) : '';
  }
}

/** A text object, at a field or by itself. */
function textOf(object: Payload, at = ''): string {
  const path = at === '' ? '' : `${at}.`;
  const text = object.maybe(`${path}text`);
  return object.maybe(`${path}type`) === 'plain_text' ? plain(text, 3000) : markdownOf(text);
}

/** A picture as a link, of which clients show a preview. */
function imageOf(object: Payload, words: string, at = ''): string {
  const address = object.maybe(`${at}image_url`) || object.maybe(`${at}slack_file.url`);
  return webAddress(address) === null ? '' : link(object.maybe(`${at}${words}`) || address, address);
}

const linked = (object: Payload, words: string, address: string): string =>
  object.has(words) ? link(decoded(object.maybe(words)), object.maybe(address)) : '';

const strong = (text: string): string => (text === '' ? '' : `**${text}**`);

const isSaid = (text: string): boolean => text !== '';

const paragraphs = (texts: readonly string[]): string => texts.filter(isSaid).join('\n\n');
