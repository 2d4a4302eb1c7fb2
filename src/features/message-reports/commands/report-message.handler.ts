import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { ChannelRecord, UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { accountOf, isSystemBot } from '../../../directory/system-bots.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import { shortenedTopic } from '../../../events/messages/topic-name.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { channelMessageAddress } from '../../markdown/channel-links.js';
import { readableMessage } from '../../messages/queries/message-to-change.js';
import { NoticeSending } from '../../messages/services/notice-sending.js';
import { ReportMessage, reportText, reportTopic, requireExplained } from '../domain/report-message.js';

@CommandHandler(ReportMessage)
export class ReportMessageHandler implements ICommandHandler<ReportMessage> {
  constructor(
    private readonly facts: Facts,
    private readonly notices: NoticeSending,
  ) {}

  /** @throws DomainError MESSAGE_REPORTS_OFF, INVALID_MESSAGE, or as `requireExplained` does */
  async execute(command: ReportMessage): Promise<void> {
    const { messageId, reporterId, reportType, description, by } = command;
    const { directory } = this.facts;
    const channel = this.moderationChannel() ?? refuse('MESSAGE_REPORTS_OFF');
    requireExplained(command);
    const reporter = directory.existingUser(reporterId);
    const message = await readableMessage(messageId, reporter, this.facts);
    const sender = accountOf(message.senderId, directory);
    if (message.text === null || !sender) return refuse('INVALID_MESSAGE');

    const { text } = message;
    const reported = { text, sender: named(sender), address: this.addressOf(message) };
    const codeLanguage = directory.setting('default_code_block_language');
    const hasTopics = topicsPolicyOf(channel, directory) !== 'empty_topic_only';
    await this.notices.sendTo({
      channelId: channel._id,
      topic: hasTopics ? shortenedTopic(reportTopic(sender.fullName)) : '',
      // A request that is repeated reports once. After an edit, the message can be reported again.
      key: `report ${messageId} ${reporterId}`,
      body: JSON.stringify([reportType, description, text]),
      reader: reporter,
      text: reportText(command, named(reporter), reported, codeLanguage),
      by,
    });
  }

  private moderationChannel(): ChannelRecord | null {
    const { directory } = this.facts;
    const channel = directory.channel(directory.setting('moderation_request_channel_id'));
    return channel && !channel.isArchived ? channel : null;
  }

  private addressOf(message: MessageDocument): string | null {
    if (message.type === 'direct') return null;
    const channel = this.facts.directory.channel(message.channelId);
    return channel ? channelMessageAddress({ id: channel._id, name: channel.name }, message.topic, message._id) : null;
  }
}

/** The server's own accounts cannot be mentioned. */
const named = (account: UserRecord): string =>
  isSystemBot(account) ? `**${account.fullName}**` : `@_**${account.fullName}|${account._id}**`;
