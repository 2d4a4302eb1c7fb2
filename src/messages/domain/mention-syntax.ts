import type { Env, MarkdownIt, StateInline } from 'markdown-it';
import type { NamedGroup, NamedUser, NameFacts } from './content-facts.js';
import type { Wildcard } from './messages.events.js';

/** One text on its way to HTML: what its names stand for, and whom it has been found to mention. */
export interface Writing {
  readonly names: NameFacts;
  readonly userIds: Set<number>;
  readonly groups: Map<number, NamedGroup>;
  readonly wildcards: Set<Wildcard>;
  /** What is quoted calls nobody again. */
  isQuoted: boolean;
}

/** Texts that are being rendered, by what the library hands from rule to rule. */
const writings = new WeakMap<Env, Writing>();

export function beginWriting(env: Env, names: NameFacts): Writing {
  const writing = { names, userIds: new Set<number>(), groups: new Map(), wildcards: new Set<Wildcard>() };
  const begun: Writing = { ...writing, isQuoted: false };
  writings.set(env, begun);
  return begun;
}

export const writingOf = (env: Env): Writing | undefined => writings.get(env);

/** Names begin where words do: not within an address. */
export const beginsName = ({ src, pos }: StateInline): boolean => pos === 0 || /[\s'"({[/<]/.test(src[pos - 1] ?? '');

const USER = /@(_?)\*\*([^*]+)\*\*/y;
const GROUP = /@(_?)\*([^*]+)\*/y;

const WILDCARDS: ReadonlyMap<string, Wildcard> = new Map([
  ['all', 'stream'],
  ['everyone', 'stream'],
  ['channel', 'stream'],
  ['stream', 'stream'],
  ['topic', 'topic'],
]);

/**
 * `@**name**`, `@**name|id**`, `@**|id**`, `@**all**` and its like, `@*group*`; with `_` behind the `@` they are shown and
 * call nobody. What names nobody is left to the rest of the grammar.
 */
export function mentionSyntax(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'mention', (state, isLookingAhead) => {
    const writing = writingOf(state.env);
    if (!writing || state.src[state.pos] !== '@' || !beginsName(state)) return false;
    const found = matchAt(USER, state);
    const group = found ? null : matchAt(GROUP, state);
    const match = found ?? group;
    if (!match) return false;
    const [source, silent, name = ''] = match;
    const isSilent = silent === '_' || writing.isQuoted;
    const mention = found ? userOrWildcard(name, isSilent, writing) : groupNamed(name, isSilent, writing);
    if (!mention) return false;
    if (!isLookingAhead) {
      mention.call?.();
      const token = state.push('mention', 'span', 0);
      token.attrs = [...mention.attributes];
      token.content = mention.call ? `@${mention.shown}` : mention.shown;
    }
    state.pos += source.length;
    return true;
  });
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.mention = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index];
    return token ? `<span${renderer.renderAttrs(token)}>${escapeHtml(token.content)}</span>` : '';
  };
}

/** The step that reads the lines of each block, knowing which of them are quoted. */
export function quotedLines(markdown: MarkdownIt): void {
  markdown.core.ruler.at('inline', ({ tokens, env }) => {
    const writing = writingOf(env);
    let depth = 0;
    for (const { type, nesting, content, children } of tokens) {
      if (type === 'blockquote_open' || type === 'blockquote_close') depth += nesting;
      if (type !== 'inline' || !children) continue;
      if (writing) writing.isQuoted = depth > 0;
      markdown.inline.parse(content, markdown, env, children);
    }
  });
}

interface Mention {
  readonly attributes: readonly [string, string][];
  readonly shown: string;
  /** Absent where nobody is called. */
  readonly call?: () => void;
}

function userOrWildcard(name: string, isSilent: boolean, writing: Writing): Mention | null {
  const wildcard = WILDCARDS.get(name);
  if (wildcard) {
    const kind = wildcard === 'topic' ? 'topic-mention' : 'user-mention channel-wildcard-mention';
    const who: [string, string][] = wildcard === 'topic' ? [] : [['data-user-id', '*']];
    return mentioned(kind, who, name, isSilent ? null : () => writing.wildcards.add(wildcard));
  }
  const user = userNamed(name, writing.names);
  if (!user) return null;
  const call = isSilent || !user.isActive ? null : () => writing.userIds.add(user.id);
  return mentioned('user-mention', [['data-user-id', String(user.id)]], user.fullName, call);
}

function userNamed(name: string, names: NameFacts): NamedUser | undefined {
  const [, fullName, id] = /^(.+)?\|(\d+)$/s.exec(name) ?? [];
  if (id === undefined) return names.user(name);
  const user = names.userById(Number(id));
  return fullName === undefined || user?.fullName === fullName ? user : undefined;
}

function groupNamed(name: string, isSilent: boolean, writing: Writing): Mention | null {
  const group = writing.names.group(name);
  if (!group) return null;
  const call = isSilent || group.isDeactivated ? null : () => writing.groups.set(group.id, group);
  return mentioned('user-group-mention', [['data-user-group-id', String(group.id)]], group.name, call);
}

function mentioned(
  kind: string,
  who: readonly [string, string][],
  shown: string,
  call: (() => unknown) | null,
): Mention {
  const attributes: [string, string][] = [['class', call ? kind : `${kind} silent`], ...who];
  return call ? { attributes, shown, call: () => void call() } : { attributes, shown };
}

export function matchAt(pattern: RegExp, { src, pos, posMax }: StateInline): RegExpExecArray | null {
  pattern.lastIndex = pos;
  const match = pattern.exec(src);
  return match && pos + match[0].length <= posMax ? match : null;
}
