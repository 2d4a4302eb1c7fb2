import { Map as ImmutableMap } from 'immutable';
import type { Emoji, MessageEvent, Placed } from '../../../events/messages/message.events.js';
import { type MessageContent, type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

/**
 * A message that is not deleted. Holds none of its content: a remembered state keeps no secret of a deleted message.
 */
export interface LivingMessage {
  readonly status: 'living';
  readonly messageId: number;
  readonly senderId: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Id of its content key. */
  readonly keyId: string;
  readonly contentRevision: number;
  /** Sum of `contentSize` of all contents that the message has had. */
  readonly keptSize: number;
  /** Hexadecimal; null if the key is destroyed. */
  readonly contentSha256: string | null;
  /** Files that its content links to. */
  readonly attachmentIds: readonly number[];
  /** Files that any of its contents has linked to, ascending. */
  readonly everLinkedIds: readonly number[];
  /** By `reactionKey`. */
  readonly reactions: ImmutableMap<string, Emoji & { readonly userId: number }>;
}

export type MessageState =
  | { readonly status: 'unknown' }
  | LivingMessage
  | { readonly status: 'deleted'; readonly messageId: number };

/** Allowance for the editor and time that are kept with each content. */
const SIZE_OF_CHANGE = 200;

/** Approximate stored size of a content, in UTF-16 units. */
export const contentSize = (content: Pick<MessageContent, 'text' | 'rendered'> | null): number =>
  content === null ? 0 : content.text.length + content.rendered.length + SIZE_OF_CHANGE;

export const reactionKey = (
  userId: number,
  { emojiCode, reactionType }: Pick<Emoji, 'emojiCode' | 'reactionType'>,
): string => `${userId} ${reactionType} ${emojiCode}`;

/** The state of a message that was sent and not changed since. */
export function asSent({ id, revision, metadata, data }: Recorded<MessageSent>): MessageState {
  return {
    status: 'living',
    messageId: messageIdAt(revision),
    senderId: data.senderId,
    sentAt: metadata.at,
    keyId: id,
    contentRevision: 0,
    keptSize: contentSize(data.content),
    contentSha256: data.content === null ? null : sha256Of(data.content.text),
    attachmentIds: data.content?.attachmentIds ?? [],
    everLinkedIds: data.content?.attachmentIds ?? [],
    reactions: ImmutableMap(),
  };
}

function evolve(state: MessageState, event: MessageEvent): MessageState {
  if (state.status !== 'living') return state;
  switch (event.type) {
    case 'MessageEdited': {
      const { contentRevision, content } = event.data;
      const contentSha256 = content === null ? null : sha256Of(content.text);
      const attachmentIds = content?.attachmentIds ?? [];
      const everLinkedIds = united(state.everLinkedIds, attachmentIds);
      const keptSize = state.keptSize + contentSize(content);
      return { ...state, contentRevision, keptSize, contentSha256, attachmentIds, everLinkedIds };
    }
    case 'MessageDeleted':
      return { status: 'deleted', messageId: state.messageId };
    case 'ReactionAdded': {
      const { userId, emojiName, emojiCode, reactionType } = event.data;
      const reaction = { userId, emojiName, emojiCode, reactionType };
      return { ...state, reactions: state.reactions.set(reactionKey(userId, reaction), reaction) };
    }
    case 'ReactionRemoved':
      return { ...state, reactions: state.reactions.delete(reactionKey(event.data.userId, event.data)) };
    default:
      event satisfies never;
      return state;
  }
}

const united = (ids: readonly number[], more: readonly number[]): readonly number[] =>
  more.length === 0 ? ids : [...new Set([...ids, ...more])].sort((a, b) => a - b);

export const messageDecider: Decider<MessageState, MessageEvent> = { initialState: { status: 'unknown' }, evolve };

/** The part of the facts that an event keeps about the message's place. */
export const placed = ({ place, placeAsOf }: Placed): Placed =>
  placeAsOf === undefined ? { place } : { place, placeAsOf };
