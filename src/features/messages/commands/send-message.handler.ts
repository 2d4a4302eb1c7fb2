import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PendingDecisions } from '../../../directory/pending-decisions.js';
import { MESSAGES_STREAM, type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import type { CodeColours } from '../../markdown/code-facts.js';
import { AutoTopicPolicies } from '../../personal/queries/auto-topic-policies.js';
import { bodyOf, sendKeyOf } from '../domain/send-key.js';
import { decideSendMessage, SendMessage, type Sent } from '../domain/send-message.js';
import { ExactlyOnce, sentBy } from '../log/exactly-once.js';
import { MessageWriting } from './message-writing.js';

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly writing: MessageWriting,
    private readonly pending: PendingDecisions,
    private readonly runner: CommandRunner,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
    private readonly autoTopicPolicies: AutoTopicPolicies,
  ) {}

  async execute(command: SendMessage): Promise<Sent> {
    const colours = await this.writing.coloursOf(command.message.content);
    const sent = await this.pending.hold(() => this.send(command, colours));
    await this.readYourWrites.acknowledge(sent.position, [sent.event]);
    return sent;
  }

  private async send(command: SendMessage, colours: CodeColours): Promise<Sent> {
    const key = sendKeyOf(command);
    if (!key) return this.sendOnce(await this.decided(command, colours), command);
    const { by } = command;
    return this.exactlyOnce.send({ key, body: bodyOf(command), by }, () => this.decided(command, colours));
  }

  private async decided(command: SendMessage, colours: CodeColours): Promise<MessageSent> {
    const { notAfter } = command.message;
    if (notAfter !== undefined && Date.now() > notAfter) refuse('SENT_TOO_LATE');
    const { written, trigger } = await this.writing.write(command, colours);
    const { recipient, content } = written;
    if (recipient.type === 'direct')
      return decideSendMessage(command, { written, trigger, autoTopic: null, mentioned: [] });
    const autoTopic = await this.autoTopicPolicies.factsFor(this.writing.sender(command), recipient, trigger);
    const mentioned = await this.autoTopicPolicies.mentioned(content.mentions?.userIds ?? [], recipient);
    return decideSendMessage(command, { written, trigger, autoTopic, mentioned });
  }

  private async sendOnce(event: MessageSent, { by }: SendMessage): Promise<Sent> {
    const id = newEventId();
    const sealing = await this.runner.sealingKey(id);
    const { revision, position } = await this.runner.report(MESSAGES_STREAM, event, by, { id, sealing });
    return sentBy(event, messageIdAt(revision), position);
  }
}
