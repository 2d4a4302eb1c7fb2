import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { messages } from '../../../projections/messages.projection.js';
import { sends } from '../../../projections/sends.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { refuse } from '../../kernel/domain-error.js';
import { newEventId } from '../../kernel/new-event-id.js';
import { MESSAGES_STREAM, type MessageSent, messageIdAt } from '../domain/messages.events.js';
import { bodyOf, sendKeyOf } from '../domain/send-key.js';
import { decideSendMessage, SendMessage, type SendMessageFacts } from '../domain/send-message.js';
import { ExactlyOnce, type Sent } from './exactly-once.js';

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage, number> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns the message's id */
  async execute(command: SendMessage): Promise<number> {
    const sent = await this.send(command);
    await this.readYourWrites.wait(sent.position, [messages, clientEvents, sends]);
    return sent.messageId;
  }

  private async send(command: SendMessage): Promise<Sent> {
    const key = sendKeyOf(command);
    if (!key) return this.sendOnce(decideSendMessage(command, this.factsFor(command)), command);
    const body = bodyOf(command);
    const { sent, attempt } = await this.exactlyOnce.earlier(key, body);
    if (sent) return sent;
    const event = decideSendMessage(command, this.factsFor(command));
    return this.exactlyOnce.append(event, key, body, attempt, command.by);
  }

  private async sendOnce(event: MessageSent, { by }: SendMessage): Promise<Sent> {
    const id = newEventId();
    const sealing = await this.runner.sealingKey(id);
    const { revision, position } = await this.runner.report(MESSAGES_STREAM, event, by, { id, sealing });
    return { messageId: messageIdAt(revision), position };
  }

  private factsFor({ message: { to }, senderId }: SendMessage): SendMessageFacts {
    const sender = this.directory.user(senderId) ?? refuse('USER_NOT_FOUND');
    if (to.type === 'direct') return { channel: null, users: to.users.map((named) => this.account(named)) };
    const named = to.channel;
    const channel = typeof named === 'number' ? this.directory.channel(named) : this.directory.channelByName(named);
    if (!channel || !may(sender, { channel, to: 'see' }, this.directory)) return { channel: null, users: [] };
    const mayPost = may(sender, { channel, to: 'post' }, this.directory);
    return { channel: { id: channel._id, isArchived: channel.isArchived, mayPost }, users: [] };
  }

  private account(named: string | number): SendMessageFacts['users'][number] {
    const user = typeof named === 'number' ? this.directory.user(named) : this.directory.userByEmail(named);
    return user ? { id: user._id, email: user.email, isActive: user.isActive } : null;
  }
}
