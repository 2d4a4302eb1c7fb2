import { refuse } from '../../../platform/kernel/deciding.js';
import type { GetMessages } from '../queries/reading/get-messages.handler.js';
import { NEWEST, OLDEST } from '../queries/reading/message-page.js';
import type { GetMessagesParameters } from './get-messages.parameters.js';

/** Greatest number of messages that one request may ask for. */
const MAX_MESSAGES = 5000;

const RANGE = ['num_before', 'num_after', 'anchor', 'include_anchor', 'use_first_unread_anchor'] as const;

/** The ids that the request lists; null if it asks for a range. */
export function messageIdsOf(parameters: GetMessagesParameters): readonly number[] | null {
  const { message_ids: ids } = parameters;
  if (ids === undefined) return null;
  if (RANGE.some((name) => parameters[name] !== undefined)) {
    refuse('INCOMPATIBLE_PARAMETERS', { parameters: [...RANGE, 'message_ids'].join(', ') });
  }
  return fewEnough(ids);
}

export function fewEnough(ids: readonly number[]): readonly number[] {
  if (ids.length > MAX_MESSAGES) refuse('TOO_MANY_MESSAGES', { limit: MAX_MESSAGES });
  return ids;
}

export function pageOf(parameters: GetMessagesParameters): GetMessages['page'] {
  const anchor = parameters.use_first_unread_anchor ? 'first_unread' : anchorOf(parameters.anchor);
  const numBefore = parameters.num_before ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'num_before' });
  const numAfter = parameters.num_after ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'num_after' });
  if (numBefore + numAfter > MAX_MESSAGES) refuse('TOO_MANY_MESSAGES', { limit: MAX_MESSAGES });
  const includeAnchor = parameters.include_anchor ?? true;
  if (!includeAnchor && numBefore > 0 && numAfter > 0) refuse('ANCHOR_IN_THE_MIDDLE');
  return { anchor, numBefore, numAfter, includeAnchor };
}

/** A message id of any size and sign, or `newest`, `oldest` or `first_unread`. */
export function anchorOf(text: string | undefined): GetMessages['page']['anchor'] {
  if (text === undefined) return refuse('REQUEST_VARIABLE_MISSING', { var_name: 'anchor' });
  if (text === 'newest') return NEWEST;
  if (text === 'oldest') return OLDEST;
  if (text === 'first_unread') return text;
  if (!/^[+-]?\d+$/.test(text)) return refuse('INVALID_PARAMETER', { description: 'Invalid anchor' });
  return Math.min(Math.max(Number(text), OLDEST), NEWEST);
}
