import { Inject, Injectable } from '@nestjs/common';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import type { Recipient } from '../../../events/messages/messages.events.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import type { AutoFollowTrigger } from '../../../events/personal/auto-topic-policy.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SITE } from '../../../platform/kernel/site.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import type { CodeColours } from '../../markdown/code-facts.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import type { DirectMessageFacts } from '../domain/direct-message-rules.js';
import {
  type AddressedChannel,
  type AddressedUser,
  type Addressee,
  triggerOf,
  type Writing,
  type WritingFacts,
  type WrittenMessage,
  writeMessage,
} from '../domain/send-message.js';
import { TopicSpellings } from '../log/topic-spellings.js';
import { coloursIn } from '../queries/content-colours.js';
import { contentFacts } from '../queries/content-facts.js';
import { directMessageFacts, inConversation } from '../queries/direct-message-facts.js';

/** Decides by today's rules whether a message may be sent as it is, and renders it: now, or to be sent later. */
@Injectable()
export class MessageWriting {
  constructor(
    private readonly facts: Facts,
    private readonly colouring: CodeColouring,
    private readonly spellings: TopicSpellings,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  coloursOf(text: string): Promise<CodeColours> {
    return coloursIn(text, this.facts, this.colouring);
  }

  /** @throws DomainError a refusal of `POST /messages` */
  async write(
    command: Writing,
    colours: CodeColours,
  ): Promise<{ readonly written: WrittenMessage; readonly trigger: AutoFollowTrigger }> {
    const facts = await this.factsFor(command, colours);
    return { written: writeMessage(command, facts), trigger: triggerOf(facts.channel) };
  }

  private async factsFor(command: Writing, colours: CodeColours): Promise<WritingFacts> {
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

  /** @throws DomainError USER_NOT_FOUND */
  sender({ senderId }: Pick<Writing, 'senderId'>): UserRecord {
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
