import { createHash } from 'node:crypto';
import { Map as ImmutableMap } from 'immutable';
import type { Decider } from '../../kernel/decider.js';
import type { Recorded } from '../../kernel/event.js';
import type { Emoji, MessageLifeEvent } from './message.events.js';
import { type MessageContent, type MessageSent, messageIdAt } from './messages.events.js';

/** Holds none of the message's words, so that a state that is remembered keeps no secret of a deleted message. */
export interface LivingMessage {
  readonly status: 'living';
  readonly messageId: number;
  readonly senderId: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Names the key of its words. */
  readonly keyId: string;
  readonly contentRevision: number;
  /** Of all that was ever said in it: how much `contentSize` says there is. */
  readonly keptSize: number;
  /** Hexadecimal; null where the key is gone already. */
  readonly contentSha256: string | null;
  /** Files that its words link to. */
  readonly attachmentIds: readonly number[];
  /** Those that any of its words ever did, ascending. */
  readonly everLinkedIds: readonly number[];
  /** By user and emoji. */
  readonly reactions: ImmutableMap<string, Emoji & { readonly userId: number }>;
}

export type MessageState =
  | { readonly status: 'unknown' }
  | LivingMessage
  | { readonly status: 'deleted'; readonly messageId: number };

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Who changed words and when is kept with them. */
const BESIDE_WORDS = 200;

/** What words take up where they are kept, in UTF-16 units, more or less. */
export const contentSize = (content: Pick<MessageContent, 'text' | 'rendered'> | null): number =>
  content === null ? 0 : content.text.length + content.rendered.length + BESIDE_WORDS;

export const reactionKey = (
  userId: number,
  { emojiCode, reactionType }: Pick<Emoji, 'emojiCode' | 'reactionType'>,
): string => `${userId} ${reactionType} ${emojiCode}`;

/** What a message is when it has been sent and nothing else has happened to it. */
export function asSent({ id, revision, metadata, data }: Recorded<MessageSent>): MessageState {
  return {
    status: 'living',
    messageId: messageIdAt(revision),
    senderId: data.senderId,
    sentAt: metadata.at,
    keyId: id,
    contentRevision: 0,
    keptSize: contentSize(data.content),
    contentSha256: data.content === null ? null : sha256(data.content.text),
    attachmentIds: data.content?.attachmentIds ?? [],
    everLinkedIds: data.content?.attachmentIds ?? [],
    reactions: ImmutableMap(),
  };
}

function evolve(state: MessageState, event: MessageLifeEvent): MessageState {
  if (state.status !== 'living') return state;
  switch (event.type) {
    case 'MessageEdited': {
      const { contentRevision, content } = event.data;
      const contentSha256 = content === null ? null : sha256(content.text);
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

export const messageLife: Decider<MessageState, MessageLifeEvent> = { initialState: { status: 'unknown' }, evolve };
