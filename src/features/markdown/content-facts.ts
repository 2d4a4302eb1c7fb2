import type { Linkifier } from '../../events/organization/organization.settings.js';
import type { PictureMeasure } from '../../events/uploads/uploads.events.js';
import { type CodeColours, NO_COLOURS } from './code-facts.js';

/**
 * Facts from other streams that content is decided on (D4): the meaning of the names in it, and the writer's permission
 * to mention many users.
 */
export interface ContentFacts {
  readonly names: NameFacts;
  /** null: not in a channel. */
  readonly crowd: CrowdFacts | null;
  readonly colours: CodeColours;
}

/** Resolves names for the writer. */
export interface NameFacts {
  /** By full name, in any case; undefined if no user has the name. */
  user(name: string): NamedUser | undefined;
  userById(id: number): NamedUser | undefined;
  group(name: string): NamedGroup | undefined;
  /** By exact name, in either Unicode spelling; undefined if the writer sees no such channel. */
  channel(name: string): NamedChannel | undefined;
  /** The uploaded files that the writer may link to, by the path that a file's URL ends in. */
  readonly files: ReadonlyMap<string, LinkableFile>;
  readonly settings: WritingSettings;
}

/** Settings of the organization and of the writer for written content. */
export interface WritingSettings {
  /** In order of precedence. */
  readonly linkifiers: readonly Linkifier[];
  /** The organization's URL, without a slash at the end; null: links to it stay as they are. */
  readonly site: string | null;
  /** Language of code blocks that name none; '': none. */
  readonly codeLanguage: string;
  readonly showsPictures: boolean;
  readonly translatesEmoticons: boolean;
  /** The path of the picture of an organization's own emoji; undefined: no active one has the name. */
  customEmojiUrl(name: string): string | undefined;
}

export const PLAIN_SETTINGS: WritingSettings = {
  linkifiers: [],
  site: null,
  codeLanguage: '',
  showsPictures: false,
  translatesEmoticons: false,
  customEmojiUrl: () => undefined,
};

export interface NamedUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

export interface NamedGroup {
  readonly id: number;
  readonly name: string;
  /** What people read in place of the name. Absent: the name. */
  readonly title?: string;
  readonly isDeactivated: boolean;
  readonly mayMention: boolean;
}

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
  /** Id of a topic's newest message; null if the writer may read none. */
  newestIn(topic: string): number | null;
}

/** An uploaded file that a text may link to. */
export interface LinkableFile {
  readonly id: number;
  readonly contentType: string;
  /** null: it cannot be shown. Absent: unknown, or no picture by its type. */
  readonly picture?: PictureMeasure | null;
}

/** The users that a wildcard would mention. */
export interface CrowdFacts {
  readonly subscribers: number;
  /** Ids of the topic's participants; the writer is one of them. */
  readonly participantIds: readonly number[];
  readonly mayMentionMany: boolean;
}

export const NO_NAMES: NameFacts = {
  user: () => undefined,
  userById: () => undefined,
  group: () => undefined,
  channel: () => undefined,
  files: new Map(),
  settings: PLAIN_SETTINGS,
};

/** Facts for content without names and colours. */
export const NO_CONTENT_FACTS: ContentFacts = { names: NO_NAMES, crowd: null, colours: NO_COLOURS };
