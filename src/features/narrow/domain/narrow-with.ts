import { refuse } from '../../../platform/kernel/deciding.js';
import type { NarrowTerm } from './narrow.js';

/** The place of the message that `with` names; documents of the `messages` projection have it. */
type Place =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly participants: readonly number[] };

const CONVERSATION: readonly string[] = ['channel', 'stream', 'topic', 'dm', 'pm-with'];

/** The message id of the term `with`; null if there is no such term. @throws DomainError BAD_NARROW */
export function messageIdOfWith(terms: readonly NarrowTerm[]): number | null {
  const [term, another] = terms.filter(isWith);
  if (!term) return null;
  if (another) return badNarrow("Duplicate 'with' operators.");
  const id = /^\d+$/.test(String(term.operand)) ? Number(term.operand) : Number.NaN;
  return Number.isSafeInteger(id) && !term.negated ? id : badNarrow("Invalid 'with' operator");
}

/**
 * Replaces the conversation that the terms name by the one that the message is in now: a link to a topic leads to where
 * it was moved. A reader who may not read the message keeps the conversation that they name.
 *
 * @param message null if the reader may not read it
 * @throws DomainError BAD_NARROW
 */
export function withConversation(terms: readonly NarrowTerm[], message: Place | null): readonly NarrowTerm[] {
  const others = terms.filter((term) => !isWith(term));
  if (!message) return namesConversation(others) ? others : badNarrow("Invalid 'with' operator");
  const rest = others.filter(({ operator }) => !CONVERSATION.includes(operator));
  if (message.type === 'direct') return [...rest, term('dm', message.participants)];
  return [...rest, term('channel', message.channelId), term('topic', message.topic)];
}

const isWith = ({ operator }: NarrowTerm): boolean => operator === 'with';

function namesConversation(terms: readonly NarrowTerm[]): boolean {
  const has = (...operators: readonly string[]): boolean => terms.some(({ operator }) => operators.includes(operator));
  return has('dm', 'pm-with') || (has('channel', 'stream') && has('topic'));
}

const term = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({ operator, operand, negated: false });

export function badNarrow(desc: string): never {
  return refuse('BAD_NARROW', { desc });
}
