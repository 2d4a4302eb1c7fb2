import { tokenize } from '../../../platform/documents/tokenize.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** The key of a direct-message conversation: the same for the same users in any order. */
export const dmKeyOf = (userIds: readonly number[]): string => [...new Set(userIds)].sort((a, b) => a - b).join(',');

/** A term as a client wrote it, in either form. */
export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated: boolean;
}

/** Older names of operators. */
const OPERATOR_NOW: ReadonlyMap<string, string> = new Map([
  ['from', 'sender'],
  ['pm_with', 'pm-with'],
  ['group_pm_with', 'group-pm-with'],
]);

type OperandForm = 'text' | 'words' | 'text-or-id' | 'text-or-ids' | 'text-id-or-ids';

const OPERAND_FORMS: ReadonlyMap<string, OperandForm> = new Map([
  ['channel', 'text-or-id'],
  ['stream', 'text-or-id'],
  ['sender', 'text-or-id'],
  ['id', 'text-or-id'],
  ['with', 'text-or-id'],
  ['near', 'text-or-id'],
  ['dm', 'text-or-ids'],
  ['pm-with', 'text-or-ids'],
  ['dm-including', 'text-id-or-ids'],
  ['group-pm-with', 'text-id-or-ids'],
  ['search', 'words'],
]);

/** Each term is checked for every message that a queue may deliver. */
const MAX_TERMS = 100;

/** Greatest number of searched words of a narrow: each is looked for in every candidate, while other requests wait. */
const MAX_SEARCHED_WORDS = 200;
/** In UTF-16 units. Longer searches have too many words: they are refused without being cut into words. */
const MAX_SEARCHED_TEXT = 20_000;

const FORM_REFUSED: Readonly<Record<OperandForm, string>> = {
  text: 'is not a string',
  words: 'cannot be blank',
  'text-or-id': 'is not a string or integer',
  'text-or-ids': 'is not a string or an integer list',
  'text-id-or-ids': 'is not a string, an integer or an integer list',
};

/**
 * Parses the parameter `narrow`: a list of `{operator, operand, negated?}` or `[operator, operand]`. Checks the shape
 * alone; `resolveNarrow` checks the meaning.
 *
 * @param value parsed JSON
 * @throws DomainError INVALID_PARAMETER
 */
export function parseNarrow(value: unknown): readonly NarrowTerm[] {
  if (!Array.isArray(value)) return malformed('narrow is not a list');
  if (value.length > MAX_TERMS) return malformed(`narrow has more than ${MAX_TERMS} terms`);
  const terms = value.map((term: unknown, index) => parseTerm(term, `narrow[${index}]`));
  if (searchesTooMuch(terms)) return malformed(`narrow searches for more than ${MAX_SEARCHED_WORDS} words`);
  return terms;
}

function searchesTooMuch(terms: readonly NarrowTerm[]): boolean {
  const texts = terms.filter(({ operator }) => operator === 'search').map(({ operand }) => String(operand));
  if (texts.reduce((length, text) => length + text.length, 0) > MAX_SEARCHED_TEXT) return true;
  return texts.flatMap(tokenize).length > MAX_SEARCHED_WORDS;
}

function parseTerm(term: unknown, at: string): NarrowTerm {
  if (Array.isArray(term)) return parsePair(term, at);
  if (typeof term !== 'object' || term === null) return malformed(`${at} is neither an object nor a list`);
  const { operator: given, operand, negated = false } = term as Readonly<Record<string, unknown>>;
  if (typeof given !== 'string') return malformed(`${at}["operator"] is not a string`);
  if (typeof negated !== 'boolean') return malformed(`${at}["negated"] is not a boolean`);
  const operator = nowNamed(given);
  const form = OPERAND_FORMS.get(operator) ?? 'text';
  if (!isOperand(operand, form)) return malformed(`${at}["operand"] ${FORM_REFUSED[form]}`);
  return { operator, operand, negated };
}

const nowNamed = (operator: string): string => OPERATOR_NOW.get(operator) ?? operator;

function parsePair(pair: readonly unknown[], at: string): NarrowTerm {
  const [given, operand] = pair;
  if (pair.length !== 2 || typeof given !== 'string' || typeof operand !== 'string') {
    return malformed(`${at} is not a pair of strings`);
  }
  const operator = nowNamed(given);
  if (OPERAND_FORMS.get(operator) === 'words' && operand.trim() === '') return malformed(`${at}[1] cannot be blank`);
  return { operator, operand, negated: false };
}

function isOperand(operand: unknown, form: OperandForm): operand is NarrowTerm['operand'] {
  if (typeof operand === 'string') return form !== 'words' || operand.trim() !== '';
  if (Array.isArray(operand)) return form.endsWith('ids') && operand.every((id) => Number.isSafeInteger(id));
  return (form === 'text-or-id' || form === 'text-id-or-ids') && Number.isSafeInteger(operand);
}

function malformed(description: string): never {
  return refuse('INVALID_PARAMETER', { description });
}
