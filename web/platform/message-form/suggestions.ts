import type { Channel, Person } from '../client-events.js';
import { best, type Suggestion } from '../offers/suggestion.js';
import { type Emoji, suggestionOf } from '../state/emoji.js';

/** What one begins to name where one writes. */
export interface Asked {
  readonly kind: 'person' | 'channel' | 'topic' | 'emoji';
  /** What is written of the name, in lower case. */
  readonly words: string;
  /** Where its text begins, which the choice replaces. */
  readonly start: number;
  /** The name of a topic's channel; empty for all else. */
  readonly channel: string;
}

export interface Known {
  readonly people: Iterable<Person>;
  readonly channels: Iterable<Channel>;
  /** Of the channel that is asked about. */
  readonly topics: readonly string[];
  readonly emoji: readonly Emoji[];
}

/** A name begins a word, so that addresses of mail and times of day ask nothing. */
const FORMS = [
  ['topic', /(?<=^|[\s(])#\*\*([^*>\n]+)>([^*\n]{0,60})$/],
  ['person', /(?<=^|[\s(])@()(?:\*\*)?([^@*\n]{0,40})$/],
  ['channel', /(?<=^|[\s(])#()(?:\*\*)?([^#*>\n]{0,60})$/],
  ['emoji', /(?<=^|[\s(]):()([a-z0-9_+-]{2,40})$/i],
] as const;

/** @returns null: nothing is being named before the caret */
export function askedAt(content: string, caret: number): Asked | null {
  const before = content.slice(0, caret);
  for (const [kind, form] of FORMS) {
    const found = form.exec(before);
    const [, channel = '', words = ''] = found ?? [];
    // "# " begins a heading.
    if (found && !words.startsWith(' ')) return { kind, words: words.toLowerCase(), start: found.index, channel };
  }
  return null;
}

/** The best first. */
export function suggestionsFor({ kind, words, channel }: Asked, known: Known): readonly Suggestion[] {
  switch (kind) {
    case 'person':
      return peopleFor(words, [...known.people]);
    case 'channel':
      return best([...known.channels], words, ({ name }) => name).map(({ stream_id, name }) => ({
        key: String(stream_id),
        label: `#${name}`,
        text: `#**${name}** `,
      }));
    case 'topic':
      return best(known.topics, words, (name) => name).map((name) => ({
        key: name,
        label: name,
        text: `#**${channel}>${name}** `,
      }));
    case 'emoji':
      return best(known.emoji, words, ({ name }) => name).map(suggestionOf);
  }
}

function peopleFor(words: string, people: readonly Person[]): readonly Suggestion[] {
  const active = people.filter(({ is_active }) => is_active !== false);
  return best(active, words, ({ full_name }) => full_name).map(({ user_id, full_name }) => {
    const isOneOfMany = people.some((other) => other.full_name === full_name && other.user_id !== user_id);
    const name = isOneOfMany ? `${full_name}|${user_id}` : full_name;
    return { key: String(user_id), label: name, text: `@**${name}** ` };
  });
}
