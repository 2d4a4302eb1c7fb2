/** A field of user profiles (`custom_profile_fields`). */
export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  /** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 person, 7 external account, 8 pronouns. */
  readonly type: number;
  /** JSON text; empty if the type needs none. */
  readonly fieldData: string;
  readonly displayInProfileSummary: boolean;
  readonly required: boolean;
  readonly editableByUser: boolean;
  readonly useForUserMatching: boolean;
}

/** Text that becomes a link in messages (`realm_linkifiers`). */
export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput: string | null;
  readonly reverseTemplate: string | null;
  readonly alternativeUrlTemplates: readonly string[];
}

/** A site that runs code of a language (`realm_playgrounds`). */
export interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygmentsLanguage: string;
  readonly urlTemplate: string;
}

interface Numbered {
  readonly id: number;
}

export const ascending = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

export const replaced = <T extends Numbered>(list: readonly T[], by: T): T[] =>
  list.map((one) => (one.id === by.id ? by : one));

export const without = <T extends Numbered>(list: readonly T[], id: number): T[] => list.filter((one) => one.id !== id);

export const inOrder = <T extends Numbered>(list: readonly T[], ids: readonly number[]): T[] =>
  ids.flatMap((id) => list.find((one) => one.id === id) ?? []);

/** The types of profile fields, under the names that clients know (`custom_profile_field_types`). */
export const PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const;

/** Kinds of external accounts with a known URL (`realm_default_external_accounts`); any other kind is `custom`. */
export const EXTERNAL_ACCOUNTS = {
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
} as const;
