import type { Wildcard } from '../../events/messages/messages.events.js';
import type { NamedUser, NameFacts } from './content-facts.js';
import { type InlineRule, type Reading, replaced } from './rule.js';
import { element } from './tree.js';
import type { Writing } from './writing.js';

/** Mentions begin at the start of a word: not within an address. */
const USER = /(?<![^\s'"({[/<])@(_?)\*\*([^*]+)\*\*/g;
const GROUP = /(?<![^\s'"({[/<])@(_?)\*([^*]+)\*/g;

const WILDCARDS: ReadonlyMap<string, Wildcard> = new Map([
  ['all', 'stream'],
  ['everyone', 'stream'],
  ['channel', 'stream'],
  ['stream', 'stream'],
  ['topic', 'topic'],
]);

/**
 * `@**name**`, `@**name|id**`, `@**|id**`, `@**all**` and other wildcards; with `_` after the `@`, they are shown but
 * mention nobody. Unknown names are left to the other rules.
 */
export const userMentions: InlineRule = (words, reading) => {
  if (!words.includes('@')) return words;
  return replaced(words, USER, ([written, silent = '', name = '']) =>
    shown(userOrWildcard(name, silent === '_' || reading.isQuoted, reading.writing), written, reading),
  );
};

/** Mentions of groups: `@*group*`. */
export const groupMentions: InlineRule = (words, reading) => {
  if (!words.includes('@')) return words;
  return replaced(words, GROUP, ([written, silent = '', name = '']) =>
    shown(groupNamed(name, silent === '_' || reading.isQuoted, reading.writing), written, reading),
  );
};

interface Mention {
  readonly attributes: Record<string, string>;
  readonly name: string;
  /** Records the mention; absent if it is silent. */
  readonly record?: () => void;
}

function shown(mention: Mention | null, written: string, { stash }: Reading): string | null {
  if (!mention) return null;
  mention.record?.();
  return stash.put(element('span', mention.attributes, [mention.record ? `@${mention.name}` : mention.name]), written);
}

function userOrWildcard(name: string, isSilent: boolean, writing: Writing): Mention | null {
  const wildcard = WILDCARDS.get(name);
  if (wildcard) {
    const kind = wildcard === 'topic' ? 'topic-mention' : 'user-mention channel-wildcard-mention';
    const who: Record<string, string> = wildcard === 'topic' ? {} : { 'data-user-id': '*' };
    return mentioned(kind, who, name, isSilent ? null : () => writing.wildcards.add(wildcard));
  }
  const user = userNamed(name, writing.names);
  if (!user) return null;
  const record = isSilent || !user.isActive ? null : () => writing.userIds.add(user.id);
  return mentioned('user-mention', { 'data-user-id': String(user.id) }, user.fullName, record);
}

function userNamed(name: string, names: NameFacts): NamedUser | undefined {
  const [, fullName, id] = /^(.+)?\|(\d+)$/s.exec(name) ?? [];
  if (id === undefined) return names.user(name);
  const user = names.userById(Number(id));
  return fullName === undefined || user?.fullName.normalize('NFC') === fullName.normalize('NFC') ? user : undefined;
}

function groupNamed(name: string, isSilent: boolean, writing: Writing): Mention | null {
  const group = writing.names.group(name);
  if (!group) return null;
  const record = isSilent || group.isDeactivated ? null : () => writing.groups.set(group.id, group);
  return mentioned('user-group-mention', { 'data-user-group-id': String(group.id) }, group.title ?? group.name, record);
}

function mentioned(kind: string, who: Record<string, string>, name: string, record: (() => unknown) | null): Mention {
  const attributes = { class: record ? kind : `${kind} silent`, ...who };
  return record ? { attributes, name, record: () => void record() } : { attributes, name };
}
