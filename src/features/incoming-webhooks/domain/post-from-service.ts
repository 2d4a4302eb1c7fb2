import { Command } from '../../../platform/kernel/deciding.js';
import { plain } from './safe-markdown.js';

interface ServicePost {
  /** The channel that the URL names; null: a direct message to the bot's owner. */
  readonly channel: string | number | null;
  readonly topic: string | null;
  readonly content: string;
  /** The service's mark of the delivery, which a redelivery repeats. A place gets one message of a delivery. */
  readonly delivery: string | null;
}

/** Posts as a bot what a service has sent to the bot's URL. */
export class PostFromService extends Command<{ post: ServicePost; botId: number }, { messageId: number }> {}

/** Direct messages have no topic: it is their first line. */
export const directContent = ({ topic, content }: Pick<ServicePost, 'topic' | 'content'>): string =>
  topic ? `**${plain(topic)}**\n\n${content}` : content;

/** Tells the owner that the URL names no channel, with the message. */
export function unknownChannelNotice(channel: string | number, post: ServicePost): string {
  const named = typeof channel === 'number' ? `the id ${channel}` : `the name **${plain(channel)}**`;
  return `A service has sent this message for the channel with ${named}. I see no such channel: make it, subscribe me, or correct \`stream\` in the URL.\n\n${directContent(post)}`;
}
