import { escaped } from '../pages/markup.js';

/** A mail from the server to a person, as plain paragraphs. */
export interface Letter {
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** A link that the mail is about, after the paragraphs. */
  readonly link?: { readonly label: string; readonly url: string };
  /** Paragraphs after the link. */
  readonly after?: readonly string[];
  /** Words of another person, shown as a quotation after the paragraphs. */
  readonly quotation?: string;
}

/**
 * The name as mails show it; null if it holds the address of a page: a mail of the server must not lead to a page of
 * somebody else's choice.
 */
export const nameInMails = (name: string): string | null => (name.includes('://') ? null : name);

/** @param name as mails show it */
export const greetingTo = (name: string | null): string => (name === null ? 'Hello,' : `Hello ${name},`);

/** Writes the two forms of a letter, which say the same. */
export function letterOf(letter: Letter): { readonly text: string; readonly html: string } {
  return { text: textOf(letter), html: htmlOf(letter) };
}

function textOf({ greeting, paragraphs, link, after = [], quotation }: Letter): string {
  const parts = [
    greeting,
    ...paragraphs,
    ...(quotation === undefined ? [] : [quoted(quotation)]),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...after,
  ];
  return `${parts.join('\n\n')}\n`;
}

function htmlOf({ greeting, paragraphs, link, after = [], quotation }: Letter): string {
  const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;
  const parts = [
    ...[greeting, ...paragraphs].map(paragraph),
    ...(quotation === undefined
      ? []
      : [`<blockquote style="white-space: pre-wrap">${escaped(quotation)}</blockquote>`]),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`] : []),
    ...after.map(paragraph),
  ];
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${parts.join('\n')}\n</body></html>\n`;
}

const quoted = (words: string): string =>
  words
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
