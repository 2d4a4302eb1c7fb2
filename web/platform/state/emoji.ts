import type { OwnEmoji } from '../client-events.js';
import type { Suggestion } from '../offers/suggestion.js';

export interface Emoji {
  readonly name: string;
  /** Itself; empty: it is a picture of this organization. */
  readonly character: string;
  /** The address of the picture; empty: it is a character. */
  readonly picture: string;
  /** As a reaction names it. */
  readonly code: string;
  readonly type: 'unicode_emoji' | 'realm_emoji';
}

/** The organization's own emoji, by their codes. */
export type OwnByCode = Readonly<Record<string, OwnEmoji>>;

/** The character of an emoji, by its code points: `1f44d`. */
export const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)));

/** All that may be used. A name that the organization has given means its own. */
export function allEmoji(own: OwnByCode, namesByCode: Readonly<Record<string, readonly string[]>>): readonly Emoji[] {
  const ours = Object.entries(own)
    .filter(([, { deactivated }]) => !deactivated)
    .map(
      ([code, { name, source_url }]): Emoji => ({
        ...{ name, character: '', picture: source_url, code, type: 'realm_emoji' },
      }),
    );
  const taken = new Set(ours.map(({ name }) => name));
  const others = Object.entries(namesByCode).flatMap(([code, names]) =>
    names
      .filter((name) => !taken.has(name))
      .map((name): Emoji => ({ name, character: characterOf(code), picture: '', code, type: 'unicode_emoji' })),
  );
  return [...ours, ...others];
}

/** An emoji as it is offered. */
export const suggestionOf = ({ name, character, picture }: Emoji): Suggestion => ({
  key: name,
  label: `${character} :${name}:`.trim(),
  text: `:${name}: `,
  ...(picture && { picture }),
});
