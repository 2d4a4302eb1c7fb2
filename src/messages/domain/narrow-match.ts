import type { Narrow, NarrowCondition } from './narrow-resolve.js';

/** What of a message a narrow looks at; a document of the `messages` projection is one. */
export type NarrowedMessage = { readonly _id: number; readonly senderId: number } & (
  | { readonly type: 'channel'; readonly channelId: number; readonly topicKey: string }
  | { readonly type: 'direct'; readonly dmKey: string }
);

/** Whether the message that is looked at is so to its reader. */
export type IsFlagged = (as: 'unread' | 'starred' | 'mentioned' | 'alerted') => boolean;

/** Whether a message is in the narrow; may the reader see it is another question (readable-messages). */
export function isInNarrow(narrow: Narrow, message: NarrowedMessage, isFlagged: IsFlagged): boolean {
  return (
    narrow.required.every((condition) => meets(message, condition, isFlagged)) &&
    !narrow.excluded.some((condition) => meets(message, condition, isFlagged))
  );
}

/**
 * The same as a filter over the `messages` collection, in MongoDB's language; null where no message can be in the
 * narrow, since two of its terms ask for different values. Flags are not in it.
 */
export function narrowFilter({ required, excluded }: Narrow): Readonly<Record<string, unknown>> | null {
  const filter: Record<string, unknown> = {};
  for (const clause of required.map(clauseOf)) {
    if (!clause) continue;
    const [field, value] = clause;
    if (field in filter && filter[field] !== value) return null;
    filter[field] = value;
  }
  const nor = excluded.map(clauseOf).flatMap((clause) => (clause ? [Object.fromEntries([clause])] : []));
  return nor.length === 0 ? filter : { ...filter, $nor: nor };
}

function meets(message: NarrowedMessage, condition: NarrowCondition, isFlagged: IsFlagged): boolean {
  switch (condition.kind) {
    case 'channel':
      return message.type === 'channel' && message.channelId === condition.channelId;
    case 'topic':
      return message.type === 'channel' && message.topicKey === condition.topicKey;
    case 'conversation':
      return message.type === 'direct' && message.dmKey === condition.dmKey;
    case 'direct':
      return message.type === 'direct';
    case 'sender':
      return message.senderId === condition.userId;
    case 'id':
      return message._id === condition.messageId;
    case 'unread':
    case 'starred':
    case 'mentioned':
    case 'alerted':
      return isFlagged(condition.kind);
    default:
      return condition satisfies never;
  }
}

function clauseOf(condition: NarrowCondition): readonly [field: string, value: string | number] | null {
  switch (condition.kind) {
    case 'channel':
      return ['channelId', condition.channelId];
    case 'topic':
      return ['topicKey', condition.topicKey];
    case 'conversation':
      return ['dmKey', condition.dmKey];
    case 'direct':
      return ['type', 'direct'];
    case 'sender':
      return ['senderId', condition.userId];
    case 'id':
      return ['_id', condition.messageId];
    case 'unread':
    case 'starred':
    case 'mentioned':
    case 'alerted':
      return null;
    default:
      return condition satisfies never;
  }
}
