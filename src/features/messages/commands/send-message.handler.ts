import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { PendingDecisions } from '../../../directory/pending-decisions.js';
import { may } from '../../../directory/permissions.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import {
  MESSAGES_STREAM,
  type MessageSent,
  messageIdAt,
  type Recipient,
} from '../../../events/messages/messages.events.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { SITE } from '../../../platform/kernel/site.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import type { CodeColours } from '../../markdown/code-facts.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import { AutoTopicPolicies } from '../../personal/queries/auto-topic-policies.js';
import type { DirectMessageFacts } from '../domain/direct-message-rules.js';
import { bodyOf, sendKeyOf } from '../domain/send-key.js';
import {
  type AddressedChannel,
  type AddressedUser,
  type Addressee,
  decideSendMessage,
  SendMessage,
  type Sent,
  triggerOf,
  type WritingFacts,
  writeMessage,
} from '../domain/send-message.js';
import { ExactlyOnce, sentBy } from '../log/exactly-once.js';
import { TopicSpellings } from '../log/topic-spellings.js';
import { coloursIn } from '../queries/content-colours.js';
import { contentFacts } from '../queries/content-facts.js';
import { directMessageFacts, inConversation } from '../queries/direct-message-facts.js';

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly facts: Facts,
    private readonly colouring: CodeColouring,
    private readonly pending: PendingDecisions,
    private readonly runner: CommandRunner,
    private readonly exactlyOnce: ExactlyOnce,
    private readonly readYourWrites: ReadYourWrites,
    private readonly autoTopicPolicies: AutoTopicPolicies,
    private readonly spellings: TopicSpellings,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute(command: SendMessage): Promise<Sent> {
    const colours = await coloursIn(command.message.content, this.facts, this.colouring);
    const sent = await this.pending.hold(() => this.send(command, colours));
    await this.readYourWrites.waitFor(sent.position, [sent.event]);
    return sent;
  }

  private async send(command: SendMessage, colours: CodeColours): Promise<Sent> {
    const key = sendKeyOf(command);
    if (!key) return this.sendOnce(await this.decided(command, colours), command);
    const { by } = command;
    return this.exactlyOnce.send({ key, body: bodyOf(command), by }, () => this.decided(command, colours));
  }

  private async decided(command: SendMessage, colours: CodeColours): Promise<MessageSent> {
    const facts = await this.factsFor(command, colours);
    const written = writeMessage(command, facts);
    const trigger = triggerOf(facts.channel);
    const { recipient, content } = written;
    if (recipient.type === 'direct')
      return decideSendMessage(command, { written, trigger, autoTopic: null, mentioned: [] });
    const autoTopic = await this.autoTopicPolicies.factsFor(this.sender(command), recipient, trigger);
    const mentioned = await this.autoTopicPolicies.mentioned(content.mentions?.userIds ?? [], recipient);
    return decideSendMessage(command, { written, trigger, autoTopic, mentioned });
  }

  private async sendOnce(event: MessageSent, { by }: SendMessage): Promise<Sent> {
    const id = newEventId();
    const sealing = await this.runner.sealingKey(id);
    const { revision, position } = await this.runner.report(MESSAGES_STREAM, event, by, { id, sealing });
    return sentBy(event, messageIdAt(revision), position);
  }

  private async factsFor(command: SendMessage, colours: CodeColours): Promise<WritingFacts> {
    const { to, content: text } = command.message;
    const sender = this.sender(command);
    const contentIn = async (place: Recipient | null): Promise<ContentFacts> => ({
      ...(await contentFacts(text, sender, place, this.facts, this.site())),
      colours,
    });
    if (to.type === 'channel') {
      const channel = await this.channel(to, sender);
      return { channel, users: [], direct: NO_DIRECT_MESSAGE_FACTS, content: await contentIn(placeIn(channel, to)) };
    }
    const users = to.users.map((named) => this.account(named));
    const ids = users.flatMap((user) => (user ? [user.id] : []));
    const direct = await directMessageFacts(sender, ids, this.facts);
    return { channel: null, users, direct, content: await contentIn({ type: 'direct', userIds: ids }) };
  }

  private sender({ senderId }: SendMessage): UserRecord {
    return this.facts.directory.user(senderId) ?? refuse('USER_NOT_FOUND');
  }

  private async channel(
    { channel: named, topic }: Extract<Addressee, { type: 'channel' }>,
    sender: UserRecord,
  ): Promise<AddressedChannel | null> {
    const channel =
      typeof named === 'number' ? this.facts.directory.channel(named) : this.facts.directory.channelByName(named);
    if (!channel || !may(sender, { channel, to: 'see' }, this.facts.directory)) return null;
    const { _id: id, isArchived } = channel;
    return {
      id,
      isArchived,
      mayPost: may(sender, { channel, to: 'post' }, this.facts.directory),
      topicsPolicy: topicsPolicyOf(channel, this.facts.directory),
      existingTopic: topic === null ? null : await this.spellings.first(id, topicNamed(topic)),
    };
  }

  private account(named: string | number): AddressedUser | null {
    const user = typeof named === 'number' ? this.facts.directory.user(named) : this.facts.directory.userByEmail(named);
    return user ? { ...inConversation(user, this.facts.directory), email: user.email, isActive: user.isActive } : null;
  }
}

type InChannel = Extract<Recipient, { type: 'channel' }>;

const placeIn = (channel: AddressedChannel | null, { topic }: { readonly topic: string | null }): InChannel | null =>
  channel === null || topic === null
    ? null
    : { type: 'channel', channelId: channel.id, topic: channel.existingTopic ?? topicNamed(topic) };

const NO_DIRECT_MESSAGE_FACTS: DirectMessageFacts = {
  sender: { isBot: false, mayUseDirectMessages: false },
  isDisabled: false,
  maySendFirst: false,
};
