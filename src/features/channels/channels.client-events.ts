import {
  channelCreate,
  channelSubscribers,
  channelsAppear,
  channelsDisappear,
  subscriptionAdd,
} from '../../../projections/client-events/channels.js';
import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import type { ChannelPayload } from '../../../projections/client-events/records.js';
import {
  peerAdd,
  peerRemove,
  subscriberActivated,
  subscriberDeactivated,
  subscribersAppear,
} from '../../../projections/client-events/subscriptions.js';
import type { SubscriptionRecord, UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import {
  type ClientEventWriter,
  type NumberedBody,
  type ServedQueue,
  type Variant,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { isOfUnknownChannel, peersBody, subscribersBody } from './client-events/peer-bodies.js';
import { visibilityBodies } from './client-events/visibility-bodies.js';
import { type ChannelForClients, channelFromFacts, subscriptionFromFacts } from './queries/channels-for-clients.js';
import { firstMessageIdsThrough } from './queries/first-message-ids.js';

type ChannelEvent = ClientEventOf<(typeof KINDS)[number]>;

const KINDS = [
  channelCreate,
  channelsAppear,
  channelsDisappear,
  subscriptionAdd,
  channelSubscribers,
  subscribersAppear,
  subscriberActivated,
  subscriberDeactivated,
  peerAdd,
  peerRemove,
] as const;

/** By id of a `channelsAppear` event: the first message of each channel that had one by then, by channel. */
type FirstIds = ReadonlyMap<number, ReadonlyMap<number, number>>;

@WritesClientEvents()
export class ChannelClientEvents implements ClientEventWriter {
  readonly kinds = KINDS;
  private readonly texts = new PerVariant<ClientEventDocument>();

  constructor(private readonly facts: Facts) {}

  async prepare(events: readonly ClientEventDocument[], to: ServedQueue): Promise<WriteBody> {
    const firstIds = await this.firstIds(events);
    return (event) => this.bodyOf(event as ChannelEvent, firstIds, to);
  }

  private async firstIds(events: readonly ClientEventDocument[]): Promise<FirstIds> {
    const found = new Map<number, ReadonlyMap<number, number>>();
    for (const event of events) {
      if (!channelsAppear.is(event)) continue;
      const channelIds = this.facts.directory.allChannels().map((channel) => channel._id);
      found.set(event._id, await firstMessageIdsThrough(this.facts.readModels, channelIds, positionOf(event._id)));
    }
    return found;
  }

  private bodyOf(
    event: ChannelEvent,
    firstIds: FirstIds,
    { reader, queue, variant }: ServedQueue,
  ): string | null | readonly NumberedBody[] {
    const { clientCapabilities, includeSubscribers } = queue;
    switch (event.kind) {
      case 'stream/gained':
      case 'stream/lost':
      case 'subscription/gained':
        // Clients that do not want subscribers get only their number, which comes with the channel.
        if (event.kind === 'subscription/gained' && !includeSubscribers) return null;
        return visibilityBodies(event, reader, clientCapabilities, firstIds.get(event._id), this.facts.directory);
      case 'subscription/back':
      case 'subscription/gone':
        return peersBody(event, reader, clientCapabilities, this.facts.directory);
      default:
    }
    if (isOfUnknownChannel(event, clientCapabilities) || knowsAlready(event, clientCapabilities)) return null;
    if (event.kind === 'subscription/peers') {
      if (!includeSubscribers) return null;
      return this.texts.get(event, {}, () => subscribersBody(event, this.facts.directory)) || null;
    }
    // The event of a subscription has the reader's own settings.
    const chosen = event.kind === 'subscription/add' ? this.chosenIn(event.payload.channel._id, reader) : null;
    if (chosen) return JSON.stringify(this.content(event, variant, chosen));
    return this.texts.get(event, variant, () => JSON.stringify(this.content(event, variant, {})));
  }

  private chosenIn(channelId: number, reader: UserRecord): SubscriptionRecord['settings'] | null {
    const settings = this.facts.directory.subscriptionsIn(channelId).get(reader._id)?.settings ?? {};
    return Object.keys(settings).length > 0 ? settings : null;
  }

  private content(
    event: ClientEventOf<typeof channelCreate | typeof subscriptionAdd | typeof peerAdd | typeof peerRemove>,
    variant: Variant,
    chosen: SubscriptionRecord['settings'],
  ): object {
    const { directory } = this.facts;
    const position = positionOf(event._id);
    const subscribers = (channel: ChannelPayload): number[] => directory.subscriberIdsAfter(channel._id, position);
    const asChannel = (channel: ChannelPayload, ids: readonly number[]): ChannelForClients =>
      channelFromFacts(channel, ids.length, directory, channel);
    switch (event.kind) {
      case 'stream/create': {
        const { channel } = event.payload;
        return { type: 'stream', op: 'create', streams: [asChannel(channel, subscribers(channel))] };
      }
      case 'subscription/add': {
        const { channel } = event.payload;
        const ids = subscribers(channel);
        const subscription = subscriptionFromFacts(asChannel(channel, ids), ids, chosen, variant);
        return { type: 'subscription', op: 'add', subscriptions: [subscription] };
      }
      case 'subscription/peer_add':
      case 'subscription/peer_remove': {
        const { channelIds, userIds } = event.payload;
        const op = event.kind === 'subscription/peer_add' ? 'peer_add' : 'peer_remove';
        // Leaves out deactivated accounts: clients have already removed them from all channels.
        const active = userIds.filter((userId) => directory.wasActiveAfter(userId, position));
        return { type: 'subscription', op, stream_ids: channelIds, user_ids: active };
      }
      default:
        return event satisfies never;
    }
  }
}

function knowsAlready({ payload }: ChannelEvent, capabilities: ServedQueue['queue']['clientCapabilities']): boolean {
  if (!('toldBefore' in payload) || !payload.toldBefore) return false;
  return capabilities[payload.toldBefore] ?? false;
}
