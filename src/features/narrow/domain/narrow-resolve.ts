import { HAS_KINDS, type HasKind } from '../../../events/messages/has.settings.js';
import { topicKeyOf } from '../../../events/messages/topic-name.js';
import type { Search } from '../../../platform/documents/tokenize.js';
import { dmKeyOf, type NarrowTerm } from './narrow.js';
import { badNarrow } from './narrow-with.js';

/** A condition that a term puts on a message. */
export type NarrowCondition =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly topicKey: string }
  /** Channels of a kind, as of the time of the request. */
  | { readonly kind: 'channels'; readonly channelIds: readonly number[] }
  | { readonly kind: 'resolved' }
  /** By the reader's policy for the topic; `muted` also by their mute of the channel. */
  | { readonly kind: 'followed' }
  | { readonly kind: 'muted' }
  /** A direct-message conversation that the reader is in. */
  | { readonly kind: 'conversation'; readonly dmKey: string }
  | { readonly kind: 'direct' }
  /** Conversations of all these users, the reader among them. */
  | { readonly kind: 'participants'; readonly userIds: readonly number[]; readonly isGroup: boolean }
  | { readonly kind: 'has'; readonly what: HasKind }
  /** At most one is required. */
  | { readonly kind: 'search'; readonly search: Search }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'id'; readonly messageId: number }
  /** By the reader's own flags. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'mentioned' }
  | { readonly kind: 'alerted' };

/** A message must meet all of `required` and none of `excluded`. */
export interface Narrow {
  readonly required: readonly NarrowCondition[];
  readonly excluded: readonly NarrowCondition[];
}

/** Resolves the names of a narrow for its reader. */
export interface NarrowFacts {
  readonly readerId: number;
  /** Id of the channel with this name or id; undefined if the reader may not know of one. */
  channelId(named: string | number): number | undefined;
  /** Ids of channels of a kind that the reader may know of; undefined for an unknown kind. */
  channelsOf(kind: string): readonly number[] | undefined;
  /** Id of the account with this address (in any case) or id. */
  userId(named: string | number): number | undefined;
  /** The languages of the organization's messages, today's first. */
  readonly languages: readonly string[];
}

export const EVERYTHING: Narrow = { required: [], excluded: [] };

/** A whole channel, or one of its topics as clients name it. */
export function inChannel(channelId: number, topic: string | null): Narrow {
  const channel = { kind: 'channel', channelId } as const;
  if (topic === null) return { required: [channel], excluded: [] };
  return { required: [channel, { kind: 'topic', topicKey: topicKeyOf(topic) }], excluded: [] };
}

/** The unread messages of a narrow. */
export const unreadIn = ({ required, excluded }: Narrow): Narrow => ({
  required: [...required, { kind: 'unread' }],
  excluded,
});

/**
 * Resolves the names of a narrow's terms. A `with` has been resolved before (with-message).
 *
 * @throws DomainError BAD_NARROW with `desc`
 */
export function resolveNarrow(terms: readonly NarrowTerm[], facts: NarrowFacts): Narrow {
  const resolved = terms
    .filter((term) => !excludesNothing(term))
    // `in:home` leaves out what is muted.
    .map((term) => ({ negated: term.negated !== (term.operator === 'in'), condition: conditionOf(term, facts) }));
  const required = withOneSearch(resolved.filter(({ negated }) => !negated).map(({ condition }) => condition));
  const excluded = resolved.filter(({ negated }) => negated).map(({ condition }) => condition);
  if (required.some(isOfChannels) && required.some(isOfDirectMessages)) {
    badNarrow('No message can be both a channel message and direct message');
  }
  return { required, excluded };
}

/** `near` tells where the view begins; clients send the anchor as well. */
const excludesNothing = ({ operator, operand }: NarrowTerm): boolean =>
  operator === 'near' || (operator === 'in' && operand === 'all');

const OF_CHANNELS: ReadonlySet<NarrowCondition['kind']> = new Set([
  'channel',
  'channels',
  'topic',
  'resolved',
  'followed',
]);
const OF_DIRECT_MESSAGES: ReadonlySet<NarrowCondition['kind']> = new Set(['conversation', 'direct', 'participants']);

const isOfChannels = ({ kind }: NarrowCondition): boolean => OF_CHANNELS.has(kind);

const isOfDirectMessages = ({ kind }: NarrowCondition): boolean => OF_DIRECT_MESSAGES.has(kind);

/** The search of a narrow; null if it does not search. */
export function searchOf({ required }: Narrow): Search | null {
  return required.find(isSearch)?.search ?? null;
}

type SearchCondition = Extract<NarrowCondition, { kind: 'search' }>;

const isSearch = (condition: NarrowCondition): condition is SearchCondition => condition.kind === 'search';

/** Joins all searches: a common word counts for nothing if any of them has another word. */
function withOneSearch(required: readonly NarrowCondition[]): readonly NarrowCondition[] {
  const searches = required.filter(isSearch).map(({ search }) => search);
  const [first, ...others] = searches;
  if (!first || others.length === 0) return required;
  // An unclosed quote ends with its term.
  const text = searches.map(({ text }) => (isUnclosed(text) ? `${text}"` : text)).join(' ');
  return [...required.filter((condition) => !isSearch(condition)), { kind: 'search', search: { ...first, text } }];
}

const isUnclosed = (text: string): boolean => text.split('"').length % 2 === 0;

function conditionOf({ operator, operand }: NarrowTerm, facts: NarrowFacts): NarrowCondition {
  switch (operator) {
    case 'channel':
    case 'stream':
      return { kind: 'channel', channelId: channelNamed(operand, facts) };
    case 'topic':
      return { kind: 'topic', topicKey: topicKeyOf(String(operand)) };
    case 'dm':
    case 'pm-with':
      return { kind: 'conversation', dmKey: conversationOf(operand, facts) };
    case 'channels':
    case 'streams':
      return { kind: 'channels', channelIds: channelsOf(operand, facts) };
    case 'dm-including':
      return { kind: 'participants', userIds: usersNamed(operand, facts), isGroup: false };
    case 'group-pm-with':
      return { kind: 'participants', userIds: usersNamed(operand, facts), isGroup: true };
    case 'has':
      return { kind: 'has', what: HAS_KINDS.find((what) => what === operand) ?? unknown('has', operand) };
    case 'search':
      return { kind: 'search', search: { text: String(operand), languages: facts.languages } };
    case 'sender':
      return { kind: 'sender', userId: operand === 'me' ? facts.readerId : userNamed(operand, facts) };
    case 'id':
      return { kind: 'id', messageId: messageIdOf(operand) };
    case 'in':
      return operand === 'home' ? { kind: 'muted' } : unknown('in', operand);
    case 'is':
      if (DIRECT.has(operand)) return { kind: 'direct' };
      return { kind: BARE_CONDITIONS.find((kind) => kind === operand) ?? unknown('is', operand) };
    default:
      return badNarrow(`unknown operator ${operator}`);
  }
}

/** Operands of `is` that name a condition without further data. */
const BARE_CONDITIONS = ['unread', 'starred', 'mentioned', 'alerted', 'resolved', 'followed', 'muted'] as const;

const DIRECT: ReadonlySet<unknown> = new Set(['dm', 'private']);

/** Whether the term is an `is` that names no condition, as clients of other versions may send. */
export const isUnknownState = ({ operator, operand }: NarrowTerm): boolean =>
  operator === 'is' && !DIRECT.has(operand) && BARE_CONDITIONS.every((kind) => kind !== operand);

const unknown = (operator: string, operand: NarrowTerm['operand']): never =>
  badNarrow(`unknown '${operator}' operand ${operand}`);

function channelsOf(operand: NarrowTerm['operand'], facts: NarrowFacts): readonly number[] {
  return facts.channelsOf(String(operand)) ?? badNarrow(`unknown channels operand ${operand}`);
}

function channelNamed(operand: NarrowTerm['operand'], facts: NarrowFacts): number {
  const channelId = typeof operand === 'object' ? undefined : facts.channelId(operand);
  return channelId ?? badNarrow(`unknown channel ${operand}`);
}

function userNamed(operand: NarrowTerm['operand'], facts: NarrowFacts): number {
  const userId = typeof operand === 'object' ? undefined : facts.userId(operand);
  return userId ?? badNarrow(`unknown user ${operand}`);
}

const conversationOf = (operand: NarrowTerm['operand'], facts: NarrowFacts): string =>
  dmKeyOf(usersNamed(operand, facts));

/**
 * Ids of the users, the reader among them. The operand has ids, or addresses in one text, with or without the reader.
 */
function usersNamed(operand: NarrowTerm['operand'], facts: NarrowFacts): number[] {
  const named = typeof operand === 'string' ? operand.split(',').map((email) => email.trim()) : [operand].flat();
  const userIds = named.map((one) => facts.userId(one));
  if (userIds.length === 0 || userIds.includes(undefined)) badNarrow(`unknown user in ${textOf(operand)}`);
  const known = userIds.filter((userId) => userId !== undefined);
  return [...new Set([facts.readerId, ...known])].sort((a, b) => a - b);
}

function messageIdOf(operand: NarrowTerm['operand']): number {
  const id = /^\d+$/.test(String(operand)) ? Number(operand) : Number.NaN;
  return Number.isSafeInteger(id) ? id : badNarrow('Invalid message ID');
}

const textOf = (operand: NarrowTerm['operand']): string =>
  typeof operand === 'object' ? `[${operand.join(', ')}]` : String(operand);
