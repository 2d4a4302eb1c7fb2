import { refuse } from '../../kernel/domain-error.js';
import type { NarrowTerm } from './narrow.js';

/** Where the message is that a `with` names; a document of the `messages` projection is one. */
type Place =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly participants: readonly number[] };

const CONVERSATION: readonly string[] = ['channel', 'stream', 'topic', 'dm', 'pm-with'];

/** The message that a `with` names; null where there is no such term. @throws DomainError BAD_NARROW */
export function messageIdOfWith(terms: readonly NarrowTerm[]): number | null {
  const [term, another] = terms.filter(isWith);
  if (!term) return null;
  if (another) return badNarrow("Duplicate 'with' operators.");
  const id = /^\d+$/.test(String(term.operand)) ? Number(term.operand) : Number.NaN;
  return Number.isSafeInteger(id) && !term.negated ? id : badNarrow("Invalid 'with' operator");
}

/**
 * The terms with the conversation that the message is in now in place of the one that they name: a link to a topic leads
 * there wherever it has been moved. Whoever may not read the message gets the conversation that they name.
 *
 * @param message null where the reader knows of none
 * @throws DomainError BAD_NARROW
 */
export function withConversation(terms: readonly NarrowTerm[], message: Place | null): readonly NarrowTerm[] {
  const others = terms.filter((term) => !isWith(term));
  if (!message) return namesConversation(others) ? others : badNarrow("Invalid 'with' operator");
  const rest = others.filter(({ operator }) => !CONVERSATION.includes(operator));
  if (message.type === 'direct') return [...rest, asked('dm', message.participants)];
  return [...rest, asked('channel', message.channelId), asked('topic', message.topic)];
}

const isWith = ({ operator }: NarrowTerm): boolean => operator === 'with';

function namesConversation(terms: readonly NarrowTerm[]): boolean {
  const has = (...operators: readonly string[]): boolean => terms.some(({ operator }) => operators.includes(operator));
  return has('dm', 'pm-with') || (has('channel', 'stream') && has('topic'));
}

const asked = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({ operator, operand, negated: false });

function badNarrow(desc: string): never {
  return refuse('BAD_NARROW', { desc });
}
