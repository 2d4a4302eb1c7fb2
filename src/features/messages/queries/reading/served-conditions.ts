import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { ALL } from '../../../../directory/readable-messages.js';
import type { Filter } from '../../../../platform/documents/document-store.js';
import type { IndexScan, MessageView } from './message-view.js';

type Field = IndexScan['field'];

/** Fields whose values stand in the text index, beside the words. */
const IN_TEXT_INDEX = ['channelId', 'dmKey', 'senderId', 'has'];

/** Fields that only direct messages have. */
const OF_DIRECT: readonly Field[] = ['participants', 'dmKey'];

/** The conditions of a view that an index decides together with a scan by the field: no message is read in vain. */
export function servedConditions({ where }: MessageView, field: Field): Filter<MessageDocument> {
  const isServed = '$text' in where ? (name: string) => IN_TEXT_INDEX.includes(name) : topicOf(field);
  return Object.fromEntries(
    Object.entries(where).filter(([name, value]) => isServed(name) && typeof value !== 'object'),
  );
}

/** Whether indexes decide a view: otherwise a search for few messages may have to read many. */
export function areAllServed(view: MessageView): boolean {
  return view.scans.every((scan) => {
    const served = servedConditions(view, scan.field);
    return Object.entries(view.where).every(
      ([name, value]) => name === '$text' || name in served || isImplied(scan, name, value),
    );
  });
}

/** Whether every message of a scan meets a condition. */
function isImplied({ field, value, topicKeys }: IndexScan, name: string, condition: unknown): boolean {
  if (name === field) return true;
  const isDirect = OF_DIRECT.includes(field);
  if (name === 'type') return isDirect;
  if (name === 'topicKey') return topicKeys !== undefined;
  if (name !== '$nor' || !Array.isArray(condition)) return false;
  return condition.every(({ channelId, ...others }) => {
    if (channelId === undefined || Object.keys(others).length > 0) return false;
    return isDirect || (field === 'channelId' && typeof channelId === 'number' && channelId !== value);
  });
}

/** Fields by which scans mostly list more messages than a sender has. */
const WIDER_THAN_SENDER: readonly Field[] = ['dmKey', 'participants', 'callees', 'has'];

/** The view, with its messages listed by their sender if it has one: most senders have few messages. */
export function listedBySender(view: MessageView): MessageView {
  const { senderId, $text } = view.where;
  const isWider = view.scans.length > 0 && view.scans.every(({ field }) => WIDER_THAN_SENDER.includes(field));
  if (typeof senderId !== 'number' || $text || !isWider) return view;
  return { ...view, scans: [{ field: 'senderId', value: senderId, reach: ALL }] };
}

const topicOf =
  (field: Field) =>
  (name: string): boolean =>
    field === 'channelId' && name === 'topicKey';
