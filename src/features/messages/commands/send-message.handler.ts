import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PendingDecisions } from '../../../directory/pending-decisions.js';
import { MESSAGES_STREAM, type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import type { CodeColours } from '../../markdown/code-facts.js';
import { AutoTopicPolicies } from '../../personal/services/auto-topic-policies.js';
import { bodyOf, sendKeyOf } from '../domain/send-key.js';
import { messageSentBy, SendMessage, type SendResult } from '../domain/send-message.js';
import { ExactlyOnce, sentBy } from '../log/exactly-once.js';
import { ContentWriting } from '../services/content-writing.js';
import { MessageWriting } from '../services/message-writing.js';

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly contents: ContentWriting,
    private readonly writing: MessageWriting,
    private readonly pending: PendingDecisions,
    private readonly runner: CommandRunner,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
    private readonly autoTopicPolicies: AutoTopicPolicies,
  ) {}

  async execute(command: SendMessage): Promise<SendResult> {
    // Known before the decision begins, which others may wait for.
    const colours = await this.contents.coloursOf(command.message.content);
    const decided = () => this.decided(command, colours);
    const { by } = command;
    const key = sendKeyOf(command);
    const sent = await this.pending.hold(() =>
      key ? this.exactlyOnce.send({ key, body: bodyOf(command), by }, decided) : this.sendWithoutKey(decided, by),
    );
    await this.readYourWrites.acknowledge(sent.position, [sent.event]);
    return sent;
  }

  private async decided(command: SendMessage, colours: CodeColours): Promise<MessageSent> {
    const { sender, written, trigger } = await this.writing.write(command, colours);
    const { recipient, content } = written;
    if (recipient.type === 'direct')
      return messageSentBy(command, { written, trigger, autoTopic: null, mentioned: [] });
    const autoTopic = await this.autoTopicPolicies.factsFor(sender, recipient, trigger);
    const mentioned = await this.autoTopicPolicies.mentioned(content.mentions?.userIds ?? [], recipient);
    return messageSentBy(command, { written, trigger, autoTopic, mentioned });
  }

  private async sendWithoutKey(decided: () => Promise<MessageSent>, by: CommandContext): Promise<SendResult> {
    const event = await decided();
    const id = newEventId();
    const result =
      (await this.runner.reportUnderNewKey(MESSAGES_STREAM, () => event, by, id)) ??
      // The store has lost an answer, asked itself again, and found this key.
      (await this.runner.report(MESSAGES_STREAM, event, by, { id, sealing: await this.runner.sealingKey(id) }));
    return sentBy(event, messageIdAt(result.revision), result.position);
  }
}
