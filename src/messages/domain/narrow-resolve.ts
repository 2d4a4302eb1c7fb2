import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { dmKeyOf } from './dm-key.js';
import type { NarrowTerm } from './narrow.js';

/** What a term asks of a message. */
export type NarrowCondition =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly topicKey: string }
  /** A direct-message conversation, always one that the reader is in. */
  | { readonly kind: 'conversation'; readonly dmKey: string }
  | { readonly kind: 'direct' }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'id'; readonly messageId: number }
  /** Of the reader's own flags. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'mentioned' }
  | { readonly kind: 'alerted' };

/** A message must meet every one of `required` and none of `excluded`. */
export interface Narrow {
  readonly required: readonly NarrowCondition[];
  readonly excluded: readonly NarrowCondition[];
}

/** What the narrow's names stand for, to the one who reads. */
export interface NarrowFacts {
  readonly readerId: number;
  /** Id of the channel so called, or of this id; undefined where the reader may not know of one. */
  channelId(named: string | number): number | undefined;
  /** Id of the account with this address (in any case), or of this id. */
  userId(named: string | number): number | undefined;
  /** Names that clients show for the empty topic. */
  readonly emptyTopicNames: readonly string[];
}

export const EVERYTHING: Narrow = { required: [], excluded: [] };

/** Of a narrow, what the reader has not read. */
export const unreadIn = ({ required, excluded }: Narrow): Narrow => ({
  required: [...required, { kind: 'unread' }],
  excluded,
});

/** @throws DomainError BAD_NARROW with `desc` */
export function resolveNarrow(terms: readonly NarrowTerm[], facts: NarrowFacts): Narrow {
  const resolved = terms.map((term) => ({ negated: term.negated, condition: conditionOf(term, facts) }));
  const required = resolved.filter(({ negated }) => !negated).map(({ condition }) => condition);
  const excluded = resolved.filter(({ negated }) => negated).map(({ condition }) => condition);
  if (required.some(isOfChannels) && required.some(isOfDirectMessages)) {
    badNarrow('No message can be both a channel message and direct message');
  }
  return { required, excluded };
}

const isOfChannels = ({ kind }: NarrowCondition): boolean => kind === 'channel' || kind === 'topic';

const isOfDirectMessages = ({ kind }: NarrowCondition): boolean => kind === 'conversation' || kind === 'direct';

function conditionOf({ operator, operand }: NarrowTerm, facts: NarrowFacts): NarrowCondition {
  switch (operator) {
    case 'channel':
    case 'stream':
      return { kind: 'channel', channelId: channelNamed(operand, facts) };
    case 'topic':
      return { kind: 'topic', topicKey: topicKeyOf(String(operand), facts) };
    case 'dm':
    case 'pm-with':
      return { kind: 'conversation', dmKey: conversationOf(operand, facts) };
    case 'sender':
      return { kind: 'sender', userId: userNamed(operand, facts) };
    case 'id':
      return { kind: 'id', messageId: messageIdOf(operand) };
    case 'is':
      if (operand === 'dm' || operand === 'private') return { kind: 'direct' };
      if (operand === 'unread' || operand === 'starred' || operand === 'mentioned' || operand === 'alerted')
        return { kind: operand };
      return badNarrow(`unknown 'is' operand ${operand}`);
    default:
      return badNarrow(`unknown operator ${operator}`);
  }
}

function channelNamed(operand: NarrowTerm['operand'], facts: NarrowFacts): number {
  const channelId = typeof operand === 'object' ? undefined : facts.channelId(operand);
  return channelId ?? badNarrow(`unknown channel ${operand}`);
}

function topicKeyOf(topic: string, { emptyTopicNames }: NarrowFacts): string {
  return emptyTopicNames.includes(topic) ? '' : fold(topic);
}

function userNamed(operand: NarrowTerm['operand'], facts: NarrowFacts): number {
  const userId = typeof operand === 'object' ? undefined : facts.userId(operand);
  return userId ?? badNarrow(`unknown user ${operand}`);
}

/** By ids, or by addresses in one text; naming the reader or not makes no difference. */
function conversationOf(operand: NarrowTerm['operand'], facts: NarrowFacts): string {
  const named = typeof operand === 'string' ? operand.split(',').map((email) => email.trim()) : [operand].flat();
  const userIds = named.map((one) => facts.userId(one));
  if (userIds.length === 0 || userIds.includes(undefined)) badNarrow(`unknown user in ${textOf(operand)}`);
  const known = userIds.filter((userId) => userId !== undefined);
  return dmKeyOf([facts.readerId, ...known]);
}

function messageIdOf(operand: NarrowTerm['operand']): number {
  const id = /^\d+$/.test(String(operand)) ? Number(operand) : Number.NaN;
  return Number.isSafeInteger(id) ? id : badNarrow('Invalid message ID');
}

const textOf = (operand: NarrowTerm['operand']): string =>
  typeof operand === 'object' ? `[${operand.join(', ')}]` : String(operand);

function badNarrow(desc: string): never {
  return refuse('BAD_NARROW', { desc });
}
