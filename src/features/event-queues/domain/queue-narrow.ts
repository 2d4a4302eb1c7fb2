import type { QueueNarrow, QueueNarrowCondition } from '../../../events/event-queues/event-queues.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/**
 * Conditions that can be checked on a new message without its reader's lists of topics. Mentions and alert words are
 * checked as the event is written.
 */
const SUPPORTED_KINDS: ReadonlySet<string> = new Set<QueueNarrowCondition['kind']>([
  'channel',
  'topic',
  'conversation',
  'direct',
  'participants',
  'resolved',
  'sender',
  'id',
  'unread',
  'starred',
  'mentioned',
  'alerted',
]);

/** API names of the kinds of conditions that queues do not support. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['followed', 'is:followed'],
  ['muted', 'is:muted'],
]);

/** The narrow in its stored form. Refuses with INVALID_PARAMETER. */
export function queueNarrow(narrow: {
  readonly required: readonly { readonly kind: string }[];
  readonly excluded: readonly { readonly kind: string }[];
}): QueueNarrow {
  return { required: narrow.required.filter(isSupported), excluded: narrow.excluded.filter(isSupported) };
}

function isSupported(condition: { readonly kind: string }): condition is QueueNarrowCondition {
  const { kind } = condition;
  if (SUPPORTED_KINDS.has(kind)) return true;
  return refuse('INVALID_PARAMETER', { description: `Operator ${OPERATORS.get(kind) ?? kind} not supported.` });
}
