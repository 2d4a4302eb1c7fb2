import { type MessageDocument, recipientOf } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import {
  MESSAGES_STREAM,
  type MessageSent,
  type Recipient,
  revisionOf,
} from '../../../events/messages/messages.events.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { CodeColouring } from '../../code-colours/code-colouring.js';
import type { FeatureFollowerParts } from '../../feature.js';
import { storedText } from '../../messages/domain/message-content.js';
import { messageSent } from '../../messages/domain/send-message.js';
import { ContentWriting } from '../../messages/services/content-writing.js';
import { AutoTopicPolicies } from '../../personal/services/auto-topic-policies.js';
import { UserSettings } from '../../personal/services/user-settings.js';
import { failureNotice, notCalledNotice } from './failure-notice.js';

/** Name of the program that sends the replies, as readers of messages see it. */
const CLIENT = 'OutgoingWebhookResponse';

interface BotRepliesOptions
  extends Pick<FeatureFollowerParts, 'eventStore' | 'codec' | 'readModels' | 'runner' | 'site'> {
  readonly directory: Directory;
  readonly colouring: CodeColouring;
}

/**
 * Posts what bots say about messages that called them. The id of each post follows from the message and the bot: a second
 * one of the same kind is not posted, whatever a repeated call has answered.
 */
export class BotReplies {
  private readonly policies: AutoTopicPolicies;
  private readonly contents: ContentWriting;

  constructor(private readonly options: BotRepliesOptions) {
    this.policies = new AutoTopicPolicies(options, new UserSettings(options.directory));
    this.contents = new ContentWriting(options, options.colouring, options.site);
  }

  /**
   * Posts to the message's topic or conversation, whether or not the bot is subscribed.
   * @throws DomainError if the text cannot be a message
   */
  reply(bot: UserRecord, message: MessageDocument, text: string): Promise<void> {
    return this.post(bot, message, { to: recipientOf(message), text, id: replyId(bot, message) });
  }

  /**
   * Posts where a reply would be that a call has failed, and tells the bot's owner. Does nothing after a reply: an earlier
   * call was answered, and the process has died before it was recorded.
   */
  async failure(bot: UserRecord, message: MessageDocument, reason: string): Promise<void> {
    const { directory, runner } = this.options;
    const cause = await this.sent(message._id);
    if (await runner.firstFollowed(cause, [replyId(bot, message)], MESSAGES_STREAM)) return;
    const text = `Failure! The bot's service did not handle the message: ${reason}.`;
    await this.post(bot, message, {
      to: recipientOf(message),
      text,
      id: derivedId('webhook-failure', message._id, bot._id),
    });
    const owner = directory.user(bot.bot?.ownerId ?? 0);
    if (!owner?.isActive) return;
    const to: Recipient = { type: 'direct', userIds: [bot._id, owner._id].sort((a, b) => a - b) };
    const notice = failureNotice({ bot, owner, message, reason }, directory);
    await this.post(bot, message, { to, text: notice, id: derivedId('webhook-notice', message._id, bot._id) });
  }

  /** Tells the writer that the bot was not called, because it may not read the channel. */
  async notCalled(bot: UserRecord, message: MessageDocument): Promise<void> {
    const writer = this.options.directory.user(message.senderId);
    if (!writer?.isActive) return;
    const to: Recipient = { type: 'direct', userIds: [bot._id, writer._id].sort((a, b) => a - b) };
    const text = notCalledNotice(message, this.options.directory);
    await this.post(bot, message, { to, text, id: derivedId('webhook-not-called', message._id, bot._id) });
  }

  private async post(
    bot: UserRecord,
    { _id: messageId }: MessageDocument,
    { to, text: written, id }: { readonly to: Recipient; readonly text: string; readonly id: string },
  ): Promise<void> {
    const content = await this.contents.content({ text: storedText(written), writer: bot, place: to });
    const mentioned = to.type === 'channel' ? await this.policies.mentioned(content.mentions?.userIds ?? [], to) : [];
    const cause = await this.sent(messageId);
    const by = { actorId: bot._id, client: CLIENT, correlationId: cause.metadata.correlationId };
    const event = messageSent({ senderId: bot._id, recipient: to, content, mentioned });
    await this.options.runner.reportFollowing(MESSAGES_STREAM, event, by, { id, cause });
  }

  private async sent(messageId: number): Promise<Recorded<MessageSent>> {
    const { eventStore, codec } = this.options;
    const stored = await eventStore.readStream(MESSAGES_STREAM, { from: revisionOf(messageId), limit: 1 });
    const [event] = await codec.decode(stored);
    if (!event) throw new Error(`message ${messageId} is not in the log`);
    return event as unknown as Recorded<MessageSent>;
  }
}

const replyId = (bot: UserRecord, message: MessageDocument): string => derivedId('webhook-reply', message._id, bot._id);
