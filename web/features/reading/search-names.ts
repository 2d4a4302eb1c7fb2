import type { Channel, Person } from '../../platform/client-events.js';
import { best, type Suggestion } from '../../platform/offers/suggestion.js';
import { OPERATORS, quotedIfNeeded, termsOf } from '../../platform/search-terms.js';

/** What one begins to name where one searches. */
export interface Asked {
  /** Whose operand is named; empty: an operator is. */
  readonly operator: string;
  /** What is written of the name, in lower case. */
  readonly words: string;
  readonly start: number;
  /** Words are searched for as well as an operator may begin with them. */
  readonly isFree: boolean;
  /** The name of the channel that is searched; empty: all are. */
  readonly channel: string;
}

export interface Known {
  readonly people: Iterable<Person>;
  readonly channels: Iterable<Channel>;
  /** Of the channel that is searched, or of several. */
  readonly topics: readonly string[];
}

const OPERAND = /(?<=^|\s)-?([a-z-]+):(?:"((?:[^"\\]|\\.)*)|((?!")\S*))$/i;
const BEGUN = /(?<=^|\s)-?([a-z-]*)$/i;

const VALUES: Readonly<Record<string, readonly string[]>> = {
  is: ['unread', 'read', 'starred', 'mentioned', 'alerted', 'dm', 'followed', 'resolved', 'muted'],
  has: ['link', 'image', 'attachment', 'reaction'],
  in: ['home', 'all'],
  channels: ['public'],
};

/** @returns null: nothing is being named before the caret */
export function askedAt(text: string, caret: number): Asked | null {
  const before = text.slice(0, caret);
  const [, operator = '', quoted, plain = ''] = OPERAND.exec(before) ?? [];
  if (operator !== '') {
    // Of several people, the last is being named.
    const words = quoted ?? plain.slice(plain.lastIndexOf(',') + 1);
    const start = caret - words.length - (quoted === undefined ? 0 : 1);
    const { operand } = termsOf(text).find((term) => term.operator === 'channel' && !term.negated) ?? {};
    const channel = typeof operand === 'string' ? operand : '';
    return { operator: operator.toLowerCase(), words: words.toLowerCase(), start, isFree: false, channel };
  }
  const [, words] = BEGUN.exec(before) ?? [];
  if (words === undefined) return null;
  return { operator: '', words: words.toLowerCase(), start: caret - words.length, isFree: true, channel: '' };
}

/** A name of several people is chosen with the space that ends it. A comma after it goes on with the next. */
const GOES_ON = /(?<=(?:^|\s)-?dm(?:-including)?:\S+) ,$/i;

/** @returns where the space begins that is before the comma; null: no list of people goes on before the caret */
export const goesOnAt = (text: string, caret: number): number | null =>
  GOES_ON.exec(text.slice(0, caret))?.index ?? null;

/** The best first. */
export function suggestionsFor({ operator, words }: Asked, known: Known): readonly Suggestion[] {
  const some = operator === '' ? operatorsFor(words) : operandsFor(operator, words, known);
  // What is written whole is searched for.
  return some.length === 1 && some[0]?.text.trim().toLowerCase() === words ? [] : some;
}

const operatorsFor = (words: string): readonly Suggestion[] =>
  Object.entries(OPERATORS)
    .filter(([operator]) => operator.startsWith(words))
    .map(([operator, finds]) => ({ key: operator, label: `${operator}: ${finds}`, text: `${operator}:` }));

function operandsFor(operator: string, words: string, { people, channels, topics }: Known): readonly Suggestion[] {
  switch (operator) {
    case 'channel':
      return best([...channels], words, ({ name }) => name).map(({ name }) => named(name, `#${name}`));
    case 'topic':
      return best(topics, words, (name) => name).map((name) => named(name));
    case 'sender':
      return [...('me'.startsWith(words) ? [named('me')] : []), ...peopleFor(words, people)];
    case 'dm':
    case 'dm-including':
      return peopleFor(words, people);
    default:
      return (VALUES[operator] ?? []).filter((value) => value.startsWith(words)).map((value) => named(value));
  }
}

/** The API knows people by their addresses. The part that many have in common finds nobody. */
const peopleFor = (words: string, people: Iterable<Person>): readonly Suggestion[] =>
  best([...people], words, ({ full_name, email }) =>
    words.includes('@') ? email : `${full_name} ${email.replace(/@.*/, '')}`,
  ).map(({ full_name, email }) => named(email, `${full_name} (${email})`));

const named = (name: string, label = name): Suggestion => ({ key: name, label, text: `${quotedIfNeeded(name)} ` });
