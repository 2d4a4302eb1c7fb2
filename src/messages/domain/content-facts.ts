import type { Linkifier } from '../../organization/domain/organization.settings.js';

/** What is known of others when words are written (D4): whom and what the names in them stand for, and who may call many. */
export interface ContentFacts {
  readonly names: NameFacts;
  /** null: not in a channel. */
  readonly crowd: CrowdFacts | null;
  /** Ids of the uploaded files that the writer may link to, by the path that a file's URL ends in. */
  readonly files: ReadonlyMap<string, number>;
}

/** What names stand for, to the one who writes. */
export interface NameFacts {
  /** By full name, in any case; undefined where nobody is called so. */
  user(name: string): NamedUser | undefined;
  userById(id: number): NamedUser | undefined;
  group(name: string): NamedGroup | undefined;
  /** undefined where the writer sees no channel that is called exactly so. */
  channel(name: string): NamedChannel | undefined;
  readonly settings: WritingSettings;
}

/** What the organization, and who writes, have chosen for what is written. */
export interface WritingSettings {
  /** In order of precedence. */
  readonly linkifiers: readonly Linkifier[];
  /** Where the organization is to be found, without a slash at the end; null: links to it stay as they are. */
  readonly site: string | null;
  /** Of blocks of code that name none; '': none. */
  readonly codeLanguage: string;
  readonly showsPictures: boolean;
  readonly translatesEmoticons: boolean;
}

export const PLAIN_SETTINGS: WritingSettings = {
  linkifiers: [],
  site: null,
  codeLanguage: '',
  showsPictures: false,
  translatesEmoticons: false,
};

export interface NamedUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

export interface NamedGroup {
  readonly id: number;
  readonly name: string;
  readonly isDeactivated: boolean;
  readonly mayMention: boolean;
}

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
  /** Id of a topic's newest message; null where it has none that the writer may read. */
  newestIn(topic: string): number | null;
}

/** How many a wildcard would call. */
export interface CrowdFacts {
  readonly subscribers: number;
  /** Who takes part in the topic, by id: whoever writes in it now is one of them. */
  readonly participantIds: readonly number[];
  readonly mayMentionMany: boolean;
}

export const NO_NAMES: NameFacts = {
  user: () => undefined,
  userById: () => undefined,
  group: () => undefined,
  channel: () => undefined,
  settings: PLAIN_SETTINGS,
};

/** Of words that name nobody and nothing. */
export const NO_CONTENT_FACTS: ContentFacts = { names: NO_NAMES, crowd: null, files: new Map() };
