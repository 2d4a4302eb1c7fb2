import type { Narrow, NarrowCondition } from './narrow-resolve.js';

/** What of a message a narrow looks at; a document of the `messages` projection is one. */
export type NarrowedMessage = { readonly _id: number; readonly senderId: number } & (
  | { readonly type: 'channel'; readonly channelId: number; readonly topicKey: string }
  | { readonly type: 'direct'; readonly dmKey: string }
);

/** Whether a message is in the narrow; may the reader see it is another question (readable-messages). */
export function isInNarrow(narrow: Narrow, message: NarrowedMessage): boolean {
  return (
    narrow.required.every((condition) => meets(message, condition)) &&
    !narrow.excluded.some((condition) => meets(message, condition))
  );
}

/**
 * The same as a filter over the `messages` collection, in MongoDB's language; null where no message can be in the
 * narrow, since two of its terms ask for different values.
 */
export function narrowFilter({ required, excluded }: Narrow): Readonly<Record<string, unknown>> | null {
  const filter: Record<string, unknown> = {};
  for (const condition of required) {
    const [field, value] = clauseOf(condition);
    if (field in filter && filter[field] !== value) return null;
    filter[field] = value;
  }
  const nor = excluded.map((condition) => Object.fromEntries([clauseOf(condition)]));
  return nor.length === 0 ? filter : { ...filter, $nor: nor };
}

function meets(message: NarrowedMessage, condition: NarrowCondition): boolean {
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
    default:
      return condition satisfies never;
  }
}

function clauseOf(condition: NarrowCondition): readonly [field: string, value: string | number] {
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
    default:
      return condition satisfies never;
  }
}
