import { Injectable } from '@nestjs/common';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import type { Recipient } from '../../../events/messages/messages.events.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import type { AutoFollowTrigger } from '../../../events/personal/auto-topic-policy.settings.js';
import type { CodeColours } from '../../markdown/code-facts.js';
import {
  type AddressedUser,
  type Addressee,
  decideWriting,
  triggerOf,
  type UnsentMessage,
  type WritingFacts,
  type WrittenMessage,
} from '../domain/send-message.js';
import { TopicSpellings } from '../log/topic-spellings.js';
import { directMessageFacts, inConversation } from '../queries/direct-message-facts.js';
import { ContentWriting } from './content-writing.js';

/** The facts about the addressees, and the place that the message would have; null if the sender may not write there. */
type Addressed = Pick<WritingFacts, 'channel' | 'users' | 'direct'> & { readonly place: Recipient | null };

interface WrittenNow {
  readonly sender: UserRecord;
  readonly written: WrittenMessage;
  readonly trigger: AutoFollowTrigger;
}

/** Decides by today's rules whether a message may be sent as it is, and renders it: now, or to be sent later. */
@Injectable()
export class MessageWriting {
  constructor(
    private readonly contents: ContentWriting,
    private readonly spellings: TopicSpellings,
  ) {}

  /** @param known the colours of its code, if they are known already @throws DomainError a refusal of `POST /messages` */
  async write(writing: UnsentMessage, known?: CodeColours): Promise<WrittenNow> {
    const { to, content: text } = writing.message;
    const colours = known ?? (await this.contents.coloursOf(text));
    const writer = this.contents.facts.directory.existingUser(writing.senderId);
    const { place, ...addressed } =
      to.type === 'channel' ? await this.inChannel(to, writer) : await this.amongUsers(to, writer);
    const content = await this.contents.factsFor({ text, writer, place }, colours);
    const written = decideWriting(writing, { now: Date.now(), ...addressed, content });
    return { sender: writer, written, trigger: triggerOf(addressed.channel) };
  }

  private async inChannel(
    { channel: named, topic }: Extract<Addressee, { type: 'channel' }>,
    sender: UserRecord,
  ): Promise<Addressed> {
    const { directory } = this.contents.facts;
    const channel = typeof named === 'number' ? directory.channel(named) : directory.channelByName(named);
    const mayPost = channel !== undefined && may(sender, { channel, to: 'post' }, directory);
    // Whoever may post sees the channel.
    if (!channel || !(mayPost || may(sender, { channel, to: 'see' }, directory))) return NOWHERE;
    const { _id: channelId, isArchived } = channel;
    const wanted = topic === null ? null : topicNamed(topic);
    const existingTopic = wanted === null ? null : await this.spellings.first(channelId, wanted);
    const topicsPolicy = topicsPolicyOf(channel, directory);
    return {
      ...NOWHERE,
      channel: { id: channelId, isArchived, mayPost, topicsPolicy, existingTopic },
      place: wanted === null ? null : { type: 'channel', channelId, topic: existingTopic ?? wanted },
    };
  }

  private async amongUsers(
    { users: named }: Extract<Addressee, { type: 'direct' }>,
    sender: UserRecord,
  ): Promise<Addressed> {
    const users = named.map((one) => this.account(one));
    const userIds = users.flatMap((user) => (user ? [user.id] : []));
    const direct = await directMessageFacts(sender, userIds, this.contents.facts);
    return { channel: null, users, direct, place: { type: 'direct', userIds } };
  }

  private account(named: string | number): AddressedUser | null {
    const { directory } = this.contents.facts;
    const user = typeof named === 'number' ? directory.user(named) : directory.userByEmail(named);
    return user ? { ...inConversation(user, directory), email: user.email, isActive: user.isActive } : null;
  }
}

const NOWHERE: Addressed = {
  channel: null,
  users: [],
  direct: { sender: { isBot: false, mayUseDirectMessages: false }, isDisabled: false, maySendFirst: false },
  place: null,
};
