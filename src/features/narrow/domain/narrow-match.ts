import type { HasKind } from '../../../events/messages/has.settings.js';
import { RESOLVED_PREFIX } from '../../../events/messages/topic-name.js';
import { SearchedTexts, visibleText } from '../../../platform/documents/tokenize.js';
import { type Narrow, type NarrowCondition, searchOf } from './narrow-resolve.js';

/** The fields of a message that narrows depend on; documents of the `messages` projection have them. */
export type NarrowedMessage = {
  readonly _id: number;
  readonly senderId: number;
  /** The HTML; null without content. */
  readonly rendered?: string | null;
  /** The code of its words' language; absent: English. */
  readonly language?: string;
  readonly has?: readonly HasKind[];
} & (
  | { readonly type: 'channel'; readonly channelId: number; readonly topicKey: string; readonly topic?: string }
  | { readonly type: 'direct'; readonly dmKey: string }
);

/** Whether the message has the state for its reader. */
export type IsFlagged = (as: 'unread' | 'starred' | 'followed' | 'muted' | 'mentioned' | 'alerted') => boolean;

/** Whether a message is in the narrow. Does not check whether the reader may see it (readable-messages). */
export function isInNarrow(narrow: Narrow, message: NarrowedMessage, isFlagged: IsFlagged): boolean {
  const texts = searchedTexts(message);
  return (
    narrow.required.every((condition) => meets(message, condition, isFlagged, texts)) &&
    !narrow.excluded.some((condition) => meets(message, condition, isFlagged, texts))
  );
}

function searchedTexts(message: NarrowedMessage): SearchedTexts {
  const topic = message.type === 'channel' ? message.topic : '';
  return new SearchedTexts(() => [visibleText(message.rendered ?? ''), topic ?? ''], message.language);
}

/**
 * The narrow as a filter over the `messages` collection, in MongoDB's language; null if no message can be in it, since
 * two of its terms require different values. Leaves out conditions on the reader's own state and excluded search words;
 * required ones are in it.
 */
export function narrowFilter(narrow: Narrow): Readonly<Record<string, unknown>> | null {
  const filter: Record<string, unknown> = {};
  const also: Clause[] = [];
  for (const clause of narrow.required.map(clauseOf)) {
    for (const [field, value] of Object.entries(clause ?? {})) {
      if (!(field in filter)) filter[field] = value;
      else if (isList(field) || typeof value === 'object' || typeof filter[field] === 'object')
        also.push({ [field]: value });
      else if (filter[field] !== value) return null;
    }
  }
  const nor = narrow.excluded.map(clauseOf).filter((clause) => clause !== null);
  const search = searchOf(narrow);
  return {
    ...(search === null ? {} : { $text: { $search: search.text, $languages: search.languages } }),
    ...filter,
    ...(also.length === 0 ? {} : { $and: also }),
    ...(nor.length === 0 ? {} : { $nor: nor }),
  };
}

/** Different elements of the list may meet different conditions. */
const isList = (field: string): boolean => field === 'has';

function meets(
  message: NarrowedMessage,
  condition: NarrowCondition,
  isFlagged: IsFlagged,
  texts: SearchedTexts,
): boolean {
  switch (condition.kind) {
    case 'channel':
      return message.type === 'channel' && message.channelId === condition.channelId;
    case 'channels':
      return message.type === 'channel' && condition.channelIds.includes(message.channelId);
    case 'topic':
      return message.type === 'channel' && message.topicKey === condition.topicKey;
    case 'resolved':
      return message.type === 'channel' && message.topicKey.startsWith(RESOLVED_PREFIX);
    case 'conversation':
      return message.type === 'direct' && message.dmKey === condition.dmKey;
    case 'direct':
      return message.type === 'direct';
    case 'participants':
      return message.type === 'direct' && holdsParticipants(message.dmKey, condition);
    case 'sender':
      return message.senderId === condition.userId;
    case 'id':
      return message._id === condition.messageId;
    case 'has':
      return message.has?.includes(condition.what) ?? false;
    case 'search':
      return texts.meet(condition.search);
    case 'unread':
    case 'starred':
    case 'followed':
    case 'muted':
    case 'mentioned':
    case 'alerted':
      return isFlagged(condition.kind);
    default:
      return condition satisfies never;
  }
}

function holdsParticipants(
  dmKey: string,
  { userIds, isGroup }: Extract<NarrowCondition, { kind: 'participants' }>,
): boolean {
  const participants = dmKey.split(',');
  return (!isGroup || participants.length > 2) && userIds.every((id) => participants.includes(String(id)));
}

type Clause = Readonly<Record<string, unknown>>;

/** The least string above all topics that begin with RESOLVED_PREFIX. */
const BEHIND_RESOLVED = RESOLVED_PREFIX.replace(' ', '!');

function clauseOf(condition: NarrowCondition): Clause | null {
  switch (condition.kind) {
    case 'channel':
      return { channelId: condition.channelId };
    case 'channels':
      return { channelId: { $in: condition.channelIds } };
    case 'topic':
      return { topicKey: condition.topicKey };
    case 'resolved':
      return { topicKey: { $gte: RESOLVED_PREFIX, $lt: BEHIND_RESOLVED } };
    case 'conversation':
      return { dmKey: condition.dmKey };
    case 'direct':
      return { type: 'direct' };
    case 'participants':
      return {
        participants: { $all: condition.userIds },
        ...(condition.isGroup && { 'participants.2': { $exists: true } }),
      };
    case 'sender':
      return { senderId: condition.userId };
    case 'id':
      return { _id: condition.messageId };
    case 'has':
      return { has: condition.what };
    case 'search':
    case 'unread':
    case 'starred':
    case 'followed':
    case 'muted':
    case 'mentioned':
    case 'alerted':
      return null;
    default:
      return condition satisfies never;
  }
}
