import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { channelMessageAddress, directMessageAddress } from '../../markdown/channel-links.js';

interface Failed {
  readonly bot: UserRecord;
  readonly owner: UserRecord;
  readonly message: MessageDocument;
  readonly reason: string;
}

/** Tells a bot's owner of a failed call. The message is linked for owners who may read it: links name channel and topic. */
export function failureNotice({ bot, owner, message, reason }: Failed, directory: Directory): string {
  const address = mayRead(owner, message, directory) ? addressOf(message, directory) : null;
  const subject = address === null ? 'A message' : `[A message](${address})`;
  return `${subject} called your bot @_**${bot.fullName}|${bot._id}**, whose service did not handle it: ${reason}.`;
}

/** Tells who has mentioned a bot in a channel that it may not read. */
export function notCalledNotice(message: MessageDocument, directory: Directory): string {
  const address = addressOf(message, directory);
  const subject = address === null ? 'A message of yours' : `[A message of yours](${address})`;
  return `${subject} mentions me in a channel that I may not read, so my service was not called. It is called for messages that come after I am subscribed.`;
}

function addressOf(message: MessageDocument, directory: Directory): string | null {
  if (message.type === 'direct') return directMessageAddress(message.participants, message._id);
  const channel = directory.channel(message.channelId);
  return channel ? channelMessageAddress({ id: channel._id, name: channel.name }, message.topic, message._id) : null;
}
