import type { Json } from '../../../../platform/kernel/json.js';
import type { Integration } from '../integration.js';
import type { Payload } from '../payload.js';
import { fenced, plain } from '../safe-markdown.js';

/** A place in a template: `{{alert.name}}`. */
const PLACE = /\{\{\s*([^{}\s][^{}]{0,200}?)\s*\}\}/g;

const MOST_OF_VALUE = 1000;
const MOST_OF_CODE = 9000;

/** Any JSON: as it is, or its fields in a template of the URL, which is Markdown of the bot's owner. */
export const generic: Integration = {
  name: 'json',
  service: 'any program',
  read: (payload, { template }) => ({
    topic: null,
    content: template === null ? pretty(payload.json) : filled(template, payload),
  }),
};

function pretty(json: Json): string {
  const text = JSON.stringify(json, null, 2);
  if (text.length <= MOST_OF_CODE) return fenced(text, 'json');
  return `${fenced(text.slice(0, MOST_OF_CODE), 'json')}\n[payload truncated]`;
}

const filled = (template: string, payload: Payload): string =>
  template.replace(PLACE, (_, path: string) => plain(textOf(payload.find(path)), MOST_OF_VALUE));

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
