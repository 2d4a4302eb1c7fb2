/** A condition on messages, as the API is told. */
export interface Term {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated?: true;
}

/** All that the API knows, and what each finds. */
export const OPERATORS = {
  channel: 'of a channel',
  topic: 'of a topic',
  sender: 'of a person, or of me',
  is: 'unread, starred, a mention …',
  has: 'with a link, a picture …',
  dm: 'direct, among people',
  'dm-including': 'direct, with a person and others',
  near: 'around a message, by its id',
  with: 'of the conversation of a message, by its id',
  id: 'one, by its id',
  channels: 'of all public channels',
  in: 'all, or home: without what is muted',
} as const;

/** A term, whose operand may be in quotes; a phrase; or a word. A quote that is not closed ends with the text. */
const PART = new RegExp(
  `(?<=^|\\s)(-?)(${Object.keys(OPERATORS).join('|')}):(?:"((?:[^"\\\\]|\\\\.)*)(?:"|$)|([^\\s"]\\S*))(?=\\s|$)|"[^"]*(?:"|$)|\\S+`,
  'gi',
);

/** Reads what somebody searches for: `channel:general -is:starred topic:"first light"` are terms, all else is words. */
export function termsOf(text: string): readonly Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [part, minus, operator, quoted, plain] of text.matchAll(PART)) {
    if (operator === undefined) words.push(part);
    else terms.push(termOf(operator.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '', minus === '-'));
  }
  return words.length === 0 ? terms : [...terms, { operator: 'search', operand: words.join(' ') }];
}

function termOf(operator: string, operand: string, isNegated: boolean): Term {
  // The API knows what is unread alone.
  if (operator === 'is' && operand.toLowerCase() === 'read') return termOf('is', 'unread', !isNegated);
  return { operator, operand, ...(isNegated && { negated: true }) };
}

/** An operand as it is written. */
export const quotedIfNeeded = (operand: string): string =>
  operand === '' || /[\s"\\]/.test(operand) ? `"${operand.replace(/["\\]/g, '\\$&')}"` : operand;
