import { Injectable } from '@nestjs/common';
import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import type { ClientEventDocument } from '../../../../projections/client-events/client-events.documents.js';
import { message } from '../../../../projections/client-events/messages.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { QueueNarrow } from '../../../events/event-queues/event-queues.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { QueueNarrowing } from '../../event-queues/client-event-writer.js';
import { queueNarrow } from '../../event-queues/domain/queue-narrow.js';
import { dmKeyOf, parseNarrow } from '../../narrow/domain/narrow.js';
import { type IsFlagged, isInNarrow, type NarrowedMessage } from '../../narrow/domain/narrow-match.js';
import { isUnknownState, resolveNarrow } from '../../narrow/domain/narrow-resolve.js';
import { narrowFacts } from '../../narrow/queries/narrow-facts.js';

/** Refused: no message to come is the one that they name, and the conversation of `with` may change. */
const OF_ONE_MESSAGE: ReadonlySet<string> = new Set(['id', 'near', 'with']);

/** Applies a queue's narrow to its events: only new messages are narrowed. */
@Injectable()
export class MessageNarrowing implements QueueNarrowing {
  constructor(private readonly directory: Directory) {}

  parse(narrow: unknown, reader: UserRecord): QueueNarrow {
    const terms = parseNarrow(narrow).filter((term) => !isUnknownState(term));
    const unsupported = terms.find(({ operator }) => OF_ONE_MESSAGE.has(operator));
    if (unsupported) refuse('INVALID_PARAMETER', { description: `Operator ${unsupported.operator} not supported.` });
    return queueNarrow(resolveNarrow(terms, narrowFacts(reader, this.directory)));
  }

  filterFor(queue: EventQueueDocument): ((event: ClientEventDocument) => boolean) | null {
    // Mentions and alert words are matched when the event is written.
    const [required, excluded] = [queue.narrow.required.filter(isOfPlace), queue.narrow.excluded.filter(isOfPlace)];
    if (required.length === 0 && excluded.length === 0) return null;
    return (event) =>
      !message.is(event) || isInNarrow({ required, excluded }, narrowedMessage(event), startsAs(event, queue));
  }
}

type MentionCondition = Extract<QueueNarrow['required'][number], { readonly kind: 'mentioned' | 'alerted' }>;

const isOfMention = (condition: QueueNarrow['required'][number]): condition is MentionCondition =>
  condition.kind === 'mentioned' || condition.kind === 'alerted';

const isOfPlace = (condition: QueueNarrow['required'][number]): boolean => !isOfMention(condition);

/** Whether a message with these flags meets the narrow's conditions on mentions and alert words. */
export function meetsMentions({ required, excluded }: QueueNarrow, flags: readonly string[]): boolean {
  const isMet = ({ kind }: MentionCondition): boolean =>
    kind === 'alerted'
      ? flags.includes('has_alert_word')
      : flags.includes('mentioned') || flags.includes('wildcard_mentioned');
  return required.filter(isOfMention).every(isMet) && !excluded.filter(isOfMention).some(isMet);
}

/** The state of a new message for the queue's user; nobody has starred it. */
const startsAs =
  ({ payload }: ClientEventOf<typeof message>, { userId }: EventQueueDocument): IsFlagged =>
  (as) =>
    as === 'unread' && !(payload.readBySender && payload.senderId === userId);

const narrowedByEvent = new WeakMap<ClientEventDocument, NarrowedMessage>();

function narrowedMessage(event: ClientEventOf<typeof message>): NarrowedMessage {
  let narrowed = narrowedByEvent.get(event);
  if (!narrowed) {
    const { messageId: _id, senderId, recipient } = event.payload;
    narrowed =
      recipient.type === 'channel'
        ? { _id, senderId, type: 'channel', channelId: recipient.channelId, topicKey: foldCase(recipient.topic) }
        : { _id, senderId, type: 'direct', dmKey: dmKeyOf(recipient.userIds) };
    narrowedByEvent.set(event, narrowed);
  }
  return narrowed;
}
