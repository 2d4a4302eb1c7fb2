import { createHash } from 'node:crypto';
import type { Reaction } from '../../../../../projections/messages/message-events.js';
import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { MoveHistoryDocument } from '../../../../../projections/messages/move-history.js';
import { avatarUrl } from '../../../../directory/avatars.js';
import type { Directory } from '../../../../directory/directory.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { accountOf } from '../../../../directory/system-bots.js';
import { topicForClients } from '../../../../events/messages/topic-name.js';
import { UnavailableError } from '../../../../platform/kernel/outcome-errors.js';
import { type TopicLink, topicLinks } from '../../../markdown/channel-links.js';
import { type EditsForClients, editsForClients } from './edit-history.js';

export interface MessageRecordOptions {
  /** Content as HTML, else as it was written. */
  readonly applyMarkdown: boolean;
  /** The client computes gravatar addresses itself. */
  readonly clientGravatar: boolean;
  /** The client understands the empty topic; others get its display name. */
  readonly allowEmptyTopicName: boolean;
  /** The reader may not know the channel's name; absent: they may. */
  readonly hidesChannel?: boolean;
}

interface RecipientForClients {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly is_mirror_dummy: boolean;
}

interface ReactionForClients {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}

/** A message as clients get it. `flags` are not part of it: some answers have them inside it, others beside it. */
export interface MessageForClients extends EditsForClients {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly sender_full_name: string;
  readonly sender_realm_str: string;
  readonly client: string;
  readonly content: string;
  readonly content_type: 'text/html' | 'text/x-markdown';
  /** Unix seconds. */
  readonly timestamp: number;
  readonly type: 'stream' | 'private';
  readonly subject: string;
  readonly stream_id?: number;
  readonly display_recipient: string | readonly RecipientForClients[];
  readonly recipient_id: number;
  readonly avatar_url: string | null;
  readonly is_me_message: boolean;
  readonly reactions: readonly ReactionForClients[];
  readonly submessages: readonly object[];
  readonly topic_links: readonly TopicLink[];
}

/**
 * A message as clients get it, in answers and in `message` events alike. Names are as of now.
 *
 * @param history the message's newest move history
 * @throws UnavailableError if this process does not know yet of an account or channel that the message names (D8)
 */
export function messageRecord(
  message: MessageDocument,
  options: MessageRecordOptions,
  directory: Directory,
  history?: MoveHistoryDocument,
): MessageForClients {
  const sender = known(accountOf(message.senderId, directory));
  return {
    id: message._id,
    sender_id: sender._id,
    sender_email: sender.email,
    sender_full_name: sender.fullName,
    sender_realm_str: '',
    client: message.client,
    content: (options.applyMarkdown ? message.rendered : message.text) ?? '',
    content_type: options.applyMarkdown ? 'text/html' : 'text/x-markdown',
    timestamp: Math.floor(message.sentAt / 1000),
    ...placeOf(message, options, directory),
    avatar_url: avatarUrl(sender, options.clientGravatar),
    is_me_message: message.text?.startsWith('/me ') ?? false,
    reactions: (message.reactions ?? []).map(reactionForClients),
    submessages: [],
    topic_links: message.type === 'channel' ? topicLinks(message.topic, directory.linkifiers) : [],
    ...editsForClients(
      message,
      history,
      directory.setting('message_edit_history_visibility_policy'),
      options.allowEmptyTopicName,
    ),
  };
}

const reactionForClients = ({ userId, emojiName, emojiCode, reactionType }: Reaction): ReactionForClients => ({
  emoji_name: emojiName,
  emoji_code: emojiCode,
  reaction_type: reactionType,
  user_id: userId,
});

type Place = Pick<MessageForClients, 'type' | 'subject' | 'stream_id' | 'display_recipient' | 'recipient_id'>;

function placeOf(
  message: MessageDocument,
  { allowEmptyTopicName, hidesChannel = false }: MessageRecordOptions,
  directory: Directory,
): Place {
  if (message.type === 'direct') {
    return {
      type: 'private',
      subject: '',
      display_recipient: message.participants.map((userId) => directRecipient(known(accountOf(userId, directory)))),
      recipient_id: conversationNumber(message.dmKey),
    };
  }
  return {
    type: 'stream',
    subject: topicForClients(message.topic, allowEmptyTopicName),
    stream_id: message.channelId,
    display_recipient: hidesChannel ? '' : known(directory.channel(message.channelId)).name,
    recipient_id: message.channelId,
  };
}

const directRecipient = (user: UserRecord): RecipientForClients => ({
  id: user._id,
  email: user.email,
  full_name: user.fullName,
  is_mirror_dummy: false,
});

/** Above every channel id. Clients only tell conversations apart by it. */
const CONVERSATIONS_FROM = 2 ** 48;

/** A conversation's number: the same on every process and after every rebuild. */
function conversationNumber(dmKey: string): number {
  return CONVERSATIONS_FROM + createHash('sha256').update(dmKey).digest().readUIntBE(0, 6);
}

function known<R>(record: R | undefined): R {
  if (record === undefined) throw new UnavailableError('the organization is not known as far as its messages are');
  return record;
}
