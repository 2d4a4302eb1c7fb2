import { refuse } from '../../kernel/domain-error.js';
import type { QueueNarrowCondition } from './event-queues.events.js';

/** What a message that has just come can be asked without anybody's lists; whom its words call is known as it leaves. */
const OF_THE_MESSAGE: ReadonlySet<string> = new Set<QueueNarrowCondition['kind']>([
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

/** How clients call what queues cannot ask, by what it is called here. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['followed', 'is:followed'],
  ['muted', 'is:muted'],
]);

export interface QueueNarrow {
  readonly required: readonly QueueNarrowCondition[];
  readonly excluded: readonly QueueNarrowCondition[];
}

/** The narrow as a queue can keep it. Refuses with INVALID_PARAMETER. */
export function queueNarrow(narrow: {
  readonly required: readonly { readonly kind: string }[];
  readonly excluded: readonly { readonly kind: string }[];
}): QueueNarrow {
  return { required: narrow.required.filter(isAskable), excluded: narrow.excluded.filter(isAskable) };
}

function isAskable(condition: { readonly kind: string }): condition is QueueNarrowCondition {
  const { kind } = condition;
  if (OF_THE_MESSAGE.has(kind)) return true;
  return refuse('INVALID_PARAMETER', { description: `Operator ${OPERATORS.get(kind) ?? kind} not supported.` });
}
