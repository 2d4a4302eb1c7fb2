import {
  type ChannelPayload,
  type ClientEventDocument,
  type ClientEventOf,
  positionOf,
  typeOf,
} from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { channelFromFacts, subscriptionFromFacts, userForClients } from '../../directory/records-for-clients.js';
import { isReadInHistory } from '../../messages/queries/message-flags.js';
import { type MessageRecordOptions, messageRecord } from '../../messages/queries/message-record.js';
import { isFor } from './audience.js';
import { PerVariant } from './per-variant.js';

type OtherEvent = Exclude<ClientEventDocument, ClientEventOf<'message'>>;

/** What a client has asked to be told differently. */
interface Variant extends MessageRecordOptions {
  readonly includeSubscribers: boolean;
  readonly notificationSettingsNull: boolean;
}

/**
 * Events as they leave: each is written once for all queues that want it in the same way, and what is one queue's own
 * is put around it.
 */
export class EventJson {
  private readonly messages = new PerVariant<MessageDocument>();
  private readonly others = new PerVariant<OtherEvent>();

  constructor(private readonly directory: Directory) {}

  /**
   * One JSON text for each event.
   * @param messages the documents of those that the events are about, by id
   */
  of(
    queue: EventQueueDocument,
    events: readonly ClientEventDocument[],
    messages: ReadonlyMap<number, MessageDocument>,
  ): string[] {
    const variant = variantOf(queue);
    const reader = this.directory.user(queue.userId);
    if (!reader) throw new Error(`queue ${queue._id} belongs to nobody`);
    return events.map((event) => {
      if (event.kind !== 'message')
        return withId(
          this.others.get(event, variant, () => this.body(event, variant)),
          event._id,
        );
      const message = messages.get(event.payload.messageId);
      if (!message) throw new Error(`message ${event.payload.messageId} leaves without its document`);
      return withId(this.messageBody(event, message, reader, queue, variant), event._id);
    });
  }

  private messageBody(
    event: ClientEventOf<'message'>,
    message: MessageDocument,
    reader: UserRecord,
    queue: EventQueueDocument,
    variant: Variant,
  ): string {
    const record = this.messages.get(message, variant, () =>
      JSON.stringify(messageRecord(message, variant, this.directory)),
    );
    const flags = JSON.stringify(this.flags(event, message, reader));
    const { localEcho } = event.payload;
    const localId = localEcho?.queueId === queue._id ? JSON.stringify(localEcho.localId) : null;
    const own = localId === null ? '' : `,"local_id":${localId},"local_message_id":${localId}`;
    return `{"type":"message","message":${record},"flags":${flags}${own}}`;
  }

  /** Of a message that has just come: what was sent to the reader starts unread, unless they sent it. */
  private flags(event: ClientEventOf<'message'>, message: MessageDocument, reader: UserRecord): string[] {
    if (!isFor(reader._id, event, this.directory)) return ['read', 'historical'];
    return isReadInHistory(reader, message) ? ['read'] : [];
  }

  private body(event: OtherEvent, variant: Variant): string {
    const [, op] = event.kind.split('/', 2);
    return JSON.stringify({ type: typeOf(event.kind), op, ...this.content(event, variant) });
  }

  /** Clients have struck off the subscribers whose accounts have ended: those neither come nor go. */
  private active(userIds: readonly number[], event: OtherEvent): readonly number[] {
    return userIds.filter((userId) => this.directory.wasActiveAfter(userId, positionOf(event._id)));
  }

  private content(event: OtherEvent, variant: Variant): object {
    const subscribers = (channel: ChannelPayload): number[] =>
      this.directory.subscriberIdsAfter(channel._id, positionOf(event._id));
    switch (event.kind) {
      case 'realm_user/add': {
        const { userId: _id, email, fullName, role } = event.payload;
        const user = { _id, email, fullName, role, isActive: true, createdAt: event.at };
        return { person: userForClients(user, { clientGravatar: variant.clientGravatar, customProfileFields: true }) };
      }
      case 'realm_user/update':
        return { person: { user_id: event.payload.userId, is_active: event.payload.isActive } };
      case 'stream/create': {
        const { channel } = event.payload;
        return { streams: [channelFromFacts(channel, subscribers(channel).length, channel)] };
      }
      case 'stream/update': {
        const { channelId, name, property, value } = event.payload;
        return { stream_id: channelId, name, property, value };
      }
      case 'stream/delete': {
        const { channelId } = event.payload;
        return { streams: [{ stream_id: channelId }], stream_ids: [channelId] };
      }
      case 'subscription/add': {
        const { channel } = event.payload;
        const ids = subscribers(channel);
        return { subscriptions: [subscriptionFromFacts(channelFromFacts(channel, ids.length, channel), ids, variant)] };
      }
      case 'subscription/remove':
        return { subscriptions: [{ stream_id: event.payload.channelId, name: event.payload.name }] };
      case 'subscription/peer_add':
      case 'subscription/peer_remove':
        return { stream_ids: [event.payload.channelId], user_ids: this.active(event.payload.userIds, event) };
      default:
        return event satisfies never;
    }
  }
}

function variantOf(queue: EventQueueDocument): Variant {
  return {
    applyMarkdown: queue.applyMarkdown,
    clientGravatar: queue.clientGravatar,
    allowEmptyTopicName: queue.clientCapabilities.empty_topic_name ?? false,
    includeSubscribers: queue.includeSubscribers,
    notificationSettingsNull: queue.clientCapabilities.notification_settings_null ?? false,
  };
}

/** @param body a JSON object that is not empty */
const withId = (body: string, id: number): string => `${body.slice(0, -1)},"id":${id}}`;
