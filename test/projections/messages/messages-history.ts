import { type MessageDocument, sentMessage } from '../../../projections/messages/messages.projection.js';
import { type DirectoryEvent, isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../../src/directory/directory.records.js';
import type { MessageSent, Recipient } from '../../../src/events/messages/messages.events.js';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import { RENDERER_VERSION, renderMarkdown } from '../../../src/features/markdown/render-markdown.js';
import { OwnFlags } from '../../../src/features/message-flags/queries/own-flags.js';
import { ReadState } from '../../../src/features/message-flags/queries/read-state.js';
import type { MovedInPairs } from '../../../src/features/messages/queries/reading/moved-in.js';
import type { DomainEvent, Recorded } from '../../../src/platform/kernel/event.js';
import { channelData } from '../../support/events/events.js';

/** The pairs of a log in which no message has moved. */
export const NONE_MOVED_IN: MovedInPairs = [];

/** The flags of a reader who has set none yet. */
export const unflagged = (reader: UserRecord, directory: Directory): OwnFlags =>
  new OwnFlags(reader, ReadState.none(reader._id), directory);

/** The time of the first event, in milliseconds. Each later event follows one second after the event before. */
export const BEGINNING = Date.UTC(2026, 0, 1);

/** A log that grows. A directory and the documents of `messages` apply each event at once. */
export class History {
  readonly directory = new Directory();
  readonly events: Recorded[] = [];
  readonly documents: MessageDocument[] = [];
  private position = 0;
  private sent = 0;

  user(role: Role = ROLES.member): UserRecord {
    const userId = this.directory.allUsers().length + 1;
    const [email, fullName] = [`User${userId}@example.com`, `User ${userId}`];
    this.happen({ type: 'UserCreated', data: { userId, email, fullName, role, passwordHash: null, channelIds: [] } });
    return found(this.directory.user(userId));
  }

  channel(
    kind: Partial<Pick<ChannelRecord, 'inviteOnly' | 'historyPublicToSubscribers' | 'permissions'>> = {},
  ): ChannelRecord {
    const channelId = this.directory.allChannels().length + 1;
    const described = { name: `Channel ${channelId}`, description: '', renderedDescription: '' };
    const access = { inviteOnly: false, historyPublicToSubscribers: true, ...kind };
    const data = channelData(channelId, { ...described, ...access, subscriberIds: [] });
    this.happen({ type: 'ChannelCreated', data });
    return found(this.directory.channel(channelId));
  }

  subscribe(channel: ChannelRecord, ...users: readonly UserRecord[]): void {
    const userIds = users.map(({ _id }) => _id);
    this.happen({ type: 'UsersSubscribed', data: { channelId: channel._id, userIds } });
  }

  unsubscribe(channel: ChannelRecord, ...users: readonly UserRecord[]): void {
    const userIds = users.map(({ _id }) => _id);
    this.happen({ type: 'UsersUnsubscribed', data: { channelId: channel._id, userIds } });
  }

  post(
    sender: UserRecord,
    channel: ChannelRecord,
    topic = 'topic',
    more: Partial<MessageSent['data']> = {},
  ): MessageDocument {
    return this.send(sender, { type: 'channel', channelId: channel._id, topic }, more);
  }

  /** @param others may be empty, for a message to oneself */
  whisper(sender: UserRecord, others: readonly UserRecord[], more: Partial<MessageSent['data']> = {}): MessageDocument {
    const userIds = [...new Set([sender, ...others].map(({ _id }) => _id))].sort((a, b) => a - b);
    return this.send(sender, { type: 'direct', userIds }, more);
  }

  private send(sender: UserRecord, recipient: Recipient, more: Partial<MessageSent['data']>): MessageDocument {
    const text = `message ${this.sent + 1}`;
    const content = { text, rendered: renderMarkdown(text), rendererVersion: RENDERER_VERSION };
    const told = { readBySender: false, localEcho: null, sendKey: null, content, ...more };
    this.happen<MessageSent>({ type: 'MessageSent', data: { senderId: sender._id, recipient, ...told } });
    return found(this.documents.at(-1));
  }

  private happen<E extends DomainEvent>(happened: E): void {
    // Positions have gaps; ids have none.
    this.position += 3;
    const at = BEGINNING + this.events.length * 1000;
    const isMessage = happened.type === 'MessageSent';
    const event: Recorded<E> = {
      ...happened,
      id: `event-${this.events.length}`,
      stream: isMessage ? 'messages' : 'organization',
      revision: isMessage ? this.sent++ : this.events.length,
      position: this.position,
      metadata: { actorId: 1, client: 'website', at, correlationId: 'c', causationId: null },
    };
    this.events.push(event);
    if (isDirectoryEvent(event)) this.directory.apply(event as Recorded<DirectoryEvent>);
    else this.documents.push(sentMessage(event as Recorded<MessageSent>));
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it did not happen');
  return value;
}
