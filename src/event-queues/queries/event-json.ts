import {
  type ChannelPayload,
  type ClientEventDocument,
  type ClientEventKind,
  type ClientEventOf,
  positionOf,
  type ToldEvent,
} from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { TopicPolicyDocument } from '../../../projections/personal.projection.js';
import { avatarForClients } from '../../directory/avatar-url.js';
import { botForClients } from '../../directory/bots-for-clients.js';
import type { Directory } from '../../directory/directory.js';
import type { SubscriptionRecord, UserRecord } from '../../directory/directory.records.js';
import { userGroupFromFacts } from '../../directory/groups-for-clients.js';
import {
  type ChannelForClients,
  channelFromFacts,
  subscriptionFromFacts,
  userForClients,
} from '../../directory/records-for-clients.js';
import type { DraftForClients } from '../../drafts/queries/drafts-for-clients.js';
import type { MessageRecordOptions } from '../../messages/queries/message-record.js';
import { mutedTopicsForClients, userTopicForClients } from '../../personal/queries/topics-for-clients.js';
import type { AttachmentForClients } from '../../uploads/queries/attachments-for-clients.js';
import { type AttachmentEvent, attachmentBody, isOfAttachment } from './attachment-json.js';
import { type DraftsEvent, draftsBody, isOfDrafts } from './drafts-json.js';
import { isOfMessages, type MessageEvent, MessageEventsJson, type MessageFacts } from './message-events-json.js';
import { isOfUnknownChannel, peersBody, subscribersBody } from './peers-json.js';
import { PerVariant } from './per-variant.js';
import { sightBodies } from './sight-json.js';
import { withId } from './with-id.js';

/** What the events' own documents do not say. */
export interface EventFacts extends MessageFacts {
  /** For each event that brings channels into sight: the first message of those that had one by then, by channel. */
  readonly firstIds: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** The reader's, where a client is told of all that are muted. */
  readonly topicPolicies: readonly TopicPolicyDocument[];
  /** Files that events are about, and that are there. */
  readonly attachments: ReadonlyMap<number, AttachmentForClients>;
  /** The reader's that events are about, and that are there. */
  readonly drafts: ReadonlyMap<number, DraftForClients>;
}

type SightEvent = ClientEventOf<'stream/gained' | 'stream/lost' | 'subscription/gained'>;

type OtherEvent = Exclude<ClientEventDocument, MessageEvent | AttachmentEvent | DraftsEvent | ToldEvent | SightEvent>;

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
  private readonly messages: MessageEventsJson;
  private readonly others = new PerVariant<OtherEvent>();
  private readonly told = new WeakMap<object, string>();

  constructor(private readonly directory: Directory) {
    this.messages = new MessageEventsJson(directory);
  }

  /**
   * One JSON text for each event that says something to this queue.
   * @param after the newest id that the client has
   */
  of(
    queue: EventQueueDocument,
    events: readonly ClientEventDocument[],
    facts: EventFacts,
    after = Number.NEGATIVE_INFINITY,
  ): string[] {
    const variant = variantOf(queue);
    const reader = this.directory.user(queue.userId);
    if (!reader) throw new Error(`queue ${queue._id} belongs to nobody`);
    return events.flatMap((event) => {
      if (isOfSight(event)) return this.sight(event, reader, queue, facts, after);
      if (isOfMessages(event)) return this.messages.of(event, facts, { reader, queue, variant, after });
      const body = this.bodyOf(event, facts, reader, queue, variant);
      return body === null ? [] : [withId(body, event._id)];
    });
  }

  private bodyOf(
    event: Exclude<ClientEventDocument, SightEvent | MessageEvent>,
    { topicPolicies, attachments, drafts }: EventFacts,
    reader: UserRecord,
    queue: EventQueueDocument,
    variant: Variant,
  ): string | null {
    if (event.kind === 'muted_topics') {
      const muted_topics = mutedTopicsForClients(topicPolicies, reader, variant, this.directory);
      return JSON.stringify({ type: event.kind, muted_topics });
    }
    if (isOfAttachment(event)) return attachmentBody(event, attachments);
    if (isOfDrafts(event)) return draftsBody(event, drafts);
    if (isTold(event)) return this.toldBody(event, queue.clientCapabilities);
    if (isOfUnknownChannel(event, queue.clientCapabilities) || knowsAlready(event, queue)) return null;
    if (event.kind === 'subscription/peers') {
      // Who was told of no subscribers has only their number, and that comes with the channel.
      if (!queue.includeSubscribers) return null;
      return this.others.get(event, {}, () => subscribersBody(event, this.directory)) || null;
    }
    if (event.kind === 'subscription/back' || event.kind === 'subscription/gone')
      return peersBody(event, reader, queue.clientCapabilities, this.directory);
    // Who has settings of their own is told of them with the subscription.
    const chosen = event.kind === 'subscription/add' ? this.chosenIn(event.payload.channel._id, reader) : null;
    if (chosen) return this.body(event, variant, chosen);
    return this.others.get(event, variant, () => this.body(event, variant, {}));
  }

  /** As many events as there are channels may have one cause: each has an id of its own, the last of them the cause's. */
  private sight(
    event: SightEvent,
    reader: UserRecord,
    queue: EventQueueDocument,
    { firstIds }: EventFacts,
    after: number,
  ): string[] {
    // Who was told of no subscribers has only their number, and that comes with the channel.
    if (event.kind === 'subscription/gained' && !queue.includeSubscribers) return [];
    const bodies = sightBodies(event, reader, queue.clientCapabilities, firstIds.get(event._id), this.directory);
    return bodies.flatMap((body, index) => {
      const id = event._id - bodies.length + 1 + index;
      return id > after ? [withId(body, id)] : [];
    });
  }

  private toldBody(
    { kind, payload }: ToldEvent,
    capabilities: EventQueueDocument['clientCapabilities'],
  ): string | null {
    const { body, without, unless } = payload;
    if (unless && (capabilities[unless] ?? false)) return null;
    const knows = !without || (capabilities[without.capability] ?? false);
    const said = knows ? { kind, body } : without.instead;
    if (said === null) return null;
    let text = this.told.get(said.body);
    if (text === undefined) {
      text = JSON.stringify({ ...head(said.kind), ...said.body });
      this.told.set(said.body, text);
    }
    return text;
  }

  private chosenIn(channelId: number, reader: UserRecord): SubscriptionRecord['settings'] | null {
    const settings = this.directory.subscriptionsIn(channelId).get(reader._id)?.settings ?? {};
    return Object.keys(settings).length > 0 ? settings : null;
  }

  private body(event: OtherEvent, variant: Variant, chosen: SubscriptionRecord['settings']): string {
    return JSON.stringify({ ...head(event.kind), ...this.content(event, variant, chosen) });
  }

  /** Clients have struck off the subscribers whose accounts have ended: those neither come nor go. */
  private active(userIds: readonly number[], event: OtherEvent): readonly number[] {
    return userIds.filter((userId) => this.directory.wasActiveAfter(userId, positionOf(event._id)));
  }

  private content(event: OtherEvent, variant: Variant, chosen: SubscriptionRecord['settings']): object {
    const { directory } = this;
    const asChannel = (channel: ChannelPayload, subscribers: readonly number[]): ChannelForClients =>
      channelFromFacts(channel, subscribers.length, directory, channel);
    const subscribers = (channel: ChannelPayload): number[] =>
      directory.subscriberIdsAfter(channel._id, positionOf(event._id));
    switch (event.kind) {
      case 'realm_bot/add':
        return { bot: botForClients(event.payload.bot) };
      case 'realm_user/avatar':
        return { person: avatarForClients(event.payload) };
      case 'realm_user/add': {
        const user = { ...event.payload.user, isActive: true, createdAt: event.at, profile: {} };
        return { person: userForClients(user, { clientGravatar: variant.clientGravatar, customProfileFields: true }) };
      }
      case 'stream/create': {
        const { channel } = event.payload;
        return { streams: [asChannel(channel, subscribers(channel))] };
      }
      case 'subscription/add': {
        const { channel } = event.payload;
        const ids = subscribers(channel);
        return { subscriptions: [subscriptionFromFacts(asChannel(channel, ids), ids, chosen, variant)] };
      }
      case 'subscription/peer_add':
      case 'subscription/peer_remove':
        return { stream_ids: event.payload.channelIds, user_ids: this.active(event.payload.userIds, event) };
      case 'user_group/add': {
        const { subgroupIds, ...group } = event.payload.group;
        const members = directory.memberIdsAfter(group._id, positionOf(event._id));
        return { group: userGroupFromFacts(group, members, subgroupIds, directory) };
      }
      case 'user_topic':
        return userTopicForClients(event.payload, variant);
      default:
        event satisfies ClientEventOf<
          | 'muted_topics'
          | 'stream/gained'
          | 'stream/lost'
          | 'subscription/back'
          | 'subscription/gone'
          | 'subscription/peers'
        >;
        throw new Error(`${event.kind} differs from reader to reader`);
    }
  }
}

function knowsAlready({ payload }: OtherEvent, { clientCapabilities }: EventQueueDocument): boolean {
  if (!('toldBefore' in payload) || !payload.toldBefore) return false;
  return clientCapabilities[payload.toldBefore] ?? false;
}

const isOfSight = (event: ClientEventDocument): event is SightEvent =>
  event.kind === 'stream/gained' || event.kind === 'stream/lost' || event.kind === 'subscription/gained';

const isTold = (event: ClientEventDocument): event is ToldEvent => 'body' in event.payload;

/** `type` and, where there is one, `op`. */
function head(kind: ClientEventKind): object {
  const [type, op] = (kind === 'realm_user/avatar' ? 'realm_user/update' : kind).split('/', 2);
  return op === undefined ? { type } : { type, op };
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
