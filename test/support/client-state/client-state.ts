import type { ClientEvent } from '../requests/event-queue.js';
import { ClientAccounts } from './client-accounts.js';
import { ClientAttachments } from './client-attachments.js';
import { ClientChannelFolders } from './client-channel-folders.js';
import { ClientDrafts } from './client-drafts.js';
import { ClientFlags } from './client-flags.js';
import { ClientGroups, withoutMember } from './client-groups.js';
import { ClientNavigationViews } from './client-navigation-views.js';
import { ClientPersonal } from './client-personal.js';
import { ClientRealm } from './client-realm.js';
import { ClientReminders } from './client-reminders.js';
import { ClientSavedSnippets } from './client-saved-snippets.js';
import { ClientScheduledMessages } from './client-scheduled-messages.js';
import { ClientSettings } from './client-settings.js';
import { ClientStatuses } from './client-statuses.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/**
 * A client's state: registered with, and kept up to date by the published meaning of each event. `comparable` is equal for
 * clients with equal knowledge.
 */
export class ClientState {
  private readonly accounts: ClientAccounts;
  private readonly streams: Map<number, Fields>;
  private readonly subscriptions: Map<number, Fields>;
  private readonly unsubscribed: Map<number, Fields>;
  private readonly neverSubscribed: Map<number, Fields>;
  private readonly groups: ClientGroups;
  private readonly realm: ClientRealm;
  private readonly personal: ClientPersonal;
  private readonly settings: ClientSettings;
  private readonly attachments: ClientAttachments;
  private readonly channelFolders: ClientChannelFolders;
  private readonly drafts: ClientDrafts;
  private readonly savedSnippets: ClientSavedSnippets;
  private readonly scheduledMessages: ClientScheduledMessages;
  private readonly reminders: ClientReminders;
  private readonly navigationViews: ClientNavigationViews;
  private readonly statuses: ClientStatuses;
  private readonly pushDevices: Fields;
  private defaultStreams: readonly number[];
  private readonly flags: ClientFlags;
  private maxMessageId: number;

  constructor(
    state: Fields,
    private readonly userId: number,
  ) {
    this.accounts = new ClientAccounts(state);
    this.streams = byId(state.streams, 'stream_id');
    this.subscriptions = byId(state.subscriptions, 'stream_id');
    this.unsubscribed = byId(state.unsubscribed, 'stream_id');
    this.neverSubscribed = byId(state.never_subscribed, 'stream_id');
    this.defaultStreams = state.realm_default_streams;
    this.groups = new ClientGroups(state.realm_user_groups);
    this.realm = new ClientRealm(state);
    this.personal = new ClientPersonal(state);
    this.settings = new ClientSettings(state);
    this.attachments = new ClientAttachments(state.attachments);
    this.channelFolders = new ClientChannelFolders(state);
    this.drafts = new ClientDrafts(state);
    this.savedSnippets = new ClientSavedSnippets(state);
    this.scheduledMessages = new ClientScheduledMessages(state);
    this.reminders = new ClientReminders(state);
    this.navigationViews = new ClientNavigationViews(state);
    this.statuses = new ClientStatuses(state);
    this.pushDevices = { ...state.push_devices };
    this.maxMessageId = state.max_message_id;
    this.flags = new ClientFlags(state);
  }

  apply(event: ClientEvent): void {
    switch (event.op === undefined ? event.type : `${event.type}/${event.op}`) {
      case 'user_group/add':
      case 'user_group/remove':
      case 'user_group/update':
      case 'user_group/add_members':
      case 'user_group/remove_members':
      case 'user_group/add_subgroups':
      case 'user_group/remove_subgroups':
        this.groups.apply(event);
        return;
      case 'realm/update':
      case 'realm/update_dict':
      case 'custom_profile_fields':
      case 'realm_linkifiers':
      case 'realm_playgrounds':
      case 'realm_emoji/update':
        this.realm.apply(event);
        return;
      case 'alert_words':
      case 'muted_users':
      case 'user_topic':
        this.personal.apply(event);
        return;
      case 'user_settings/update':
      case 'update_display_settings':
      case 'update_global_notifications':
        this.settings.apply(event);
        if (event.property === 'enable_drafts_synchronization' && !event.value) this.drafts.clear();
        return;
      case 'attachment/add':
      case 'attachment/update':
      case 'attachment/remove':
        this.attachments.apply(event);
        return;
      case 'navigation_view/add':
      case 'navigation_view/update':
      case 'navigation_view/remove':
        this.navigationViews.apply(event);
        return;
      case 'saved_snippets/add':
      case 'saved_snippets/update':
      case 'saved_snippets/remove':
        this.savedSnippets.apply(event);
        return;
      case 'scheduled_messages/add':
      case 'scheduled_messages/update':
      case 'scheduled_messages/remove':
        this.scheduledMessages.apply(event);
        return;
      case 'reminders/add':
      case 'reminders/remove':
        this.reminders.apply(event);
        return;
      case 'user_status':
        this.statuses.apply(event);
        return;
      case 'push_device': {
        const { push_account_id, status, error_code = null } = event;
        this.pushDevices[push_account_id] = { status, error_code };
        return;
      }
      case 'channel_folder/add':
      case 'channel_folder/update':
      case 'channel_folder/reorder':
        this.channelFolders.apply(event);
        return;
      case 'drafts/add':
      case 'drafts/update':
      case 'drafts/remove':
        this.drafts.apply(event);
        return;
      case 'update_message_flags/add':
      case 'update_message_flags/remove':
        this.flags.apply(event);
        return;
      case 'message':
        this.onMessage(event);
        return;
      case 'update_message':
        this.flags.move(event);
        // A move alone does not change the content.
        if (event.rendered_content !== undefined) this.flags.say(event.message_id, event.flags);
        return;
      // Reactions and invitations are no part of the state.
      case 'invites_changed':
      case 'reaction/add':
      case 'reaction/remove':
        return;
      case 'delete_message':
        for (const id of event.message_ids ?? [event.message_id]) {
          this.flags.drop(id);
          this.maxMessageId = Math.max(this.maxMessageId, id);
        }
        return;
      case 'realm_user/add':
      case 'realm_user/update':
      case 'realm_bot/add':
      case 'realm_bot/update':
      case 'realm_bot/delete': {
        const gone = this.accounts.apply(event);
        if (gone !== null) this.onDeactivated(gone);
        return;
      }
      case 'stream/create':
        for (const stream of event.streams) {
          this.streams.set(stream.stream_id, { ...stream });
          this.neverSubscribed.set(stream.stream_id, { ...stream, subscribers: [] });
        }
        return;
      case 'stream/update':
        for (const record of this.everyRecordOf(event.stream_id)) Object.assign(record, changedProperties(event));
        return;
      case 'stream/delete':
        for (const id of event.stream_ids)
          for (const list of [this.streams, this.subscriptions, this.unsubscribed, this.neverSubscribed])
            list.delete(id);
        return;
      case 'subscription/add':
        for (const subscription of event.subscriptions) this.onSubscribed(subscription);
        return;
      case 'subscription/remove':
        for (const { stream_id } of event.subscriptions) this.onUnsubscribed(stream_id);
        return;
      case 'subscription/update':
        this.onSettingChanged(event);
        return;
      case 'default_streams':
        this.defaultStreams = event.default_streams;
        return;
      case 'subscription/peer_add':
        for (const id of event.stream_ids) for (const userId of event.user_ids) this.peer(id, userId, true);
        return;
      case 'subscription/peer_remove':
        for (const id of event.stream_ids) for (const userId of event.user_ids) this.peer(id, userId, false);
        return;
      default:
        throw new Error(`a client knows no ${JSON.stringify(event)}`);
    }
  }

  get comparable(): Fields {
    return {
      accounts: this.accounts.comparable,
      streams: sorted(this.streams),
      subscriptions: sorted(this.subscriptions),
      outside: this.outside(),
      defaultStreams: this.defaultStreams,
      groups: this.groups.comparable,
      realm: this.realm.comparable,
      personal: this.personal.comparable,
      settings: this.settings.comparable,
      attachments: this.attachments.comparable,
      channelFolders: this.channelFolders.comparable,
      drafts: this.drafts.comparable,
      savedSnippets: this.savedSnippets.comparable,
      scheduledMessages: this.scheduledMessages.comparable,
      reminders: this.reminders.comparable,
      navigationViews: this.navigationViews.comparable,
      statuses: this.statuses.comparable,
      pushDevices: this.pushDevices,
      flags: this.flags.comparable((channelId) => this.subscriptions.has(channelId)),
      maxMessageId: this.maxMessageId,
    };
  }

  /** Channels without a subscription, former ones included: no event tells whether a channel that appears is a former one. */
  private outside(): Fields[] {
    const asChannel = (record: Fields): Fields => {
      const known = ['subscribers', ...Object.keys(this.streams.get(record.stream_id) ?? {})];
      return Object.fromEntries(Object.entries(record).filter(([name]) => known.includes(name)));
    };
    return sorted(new Map([...this.unsubscribed, ...this.neverSubscribed])).map(asChannel);
  }

  private onMessage({ message, flags }: ClientEvent): void {
    if (message.id <= this.maxMessageId) throw new Error(`message ${message.id} came twice, or late`);
    this.maxMessageId = message.id;
    this.flags.say(message.id, flags);
    if (flags.includes('read')) return;
    this.flags.come(message.type === 'stream' ? `channel ${message.stream_id}` : 'direct', [message.id]);
  }

  private onDeactivated(userId: number): void {
    this.groups.drop(userId);
    this.realm.drop(userId);
    for (const id of this.streams.keys()) {
      for (const record of this.everyRecordOf(id)) {
        if (record.subscribers?.includes(userId)) throw new Error(`user ${userId} went who was still in ${id}`);
        withoutMember(record, userId);
      }
    }
  }

  private onSubscribed(subscription: Fields): void {
    const { stream_id: id } = subscription;
    if (this.subscriptions.has(id)) throw new Error(`subscribed to ${id} twice`);
    this.subscriptions.set(id, { ...subscription });
    this.unsubscribed.delete(id);
    this.neverSubscribed.delete(id);
    const stream = this.streams.get(id);
    if (!stream) throw new Error(`subscribed to ${id}, which is out of sight`);
    stream.subscriber_count = subscription.subscriber_count;
  }

  private onSettingChanged({ stream_id: id, property, value }: ClientEvent): void {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw new Error(`${property} of ${id}, to which nobody here is subscribed`);
    subscription[property] = value;
  }

  private onUnsubscribed(id: number): void {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw new Error(`unsubscribed from ${id} without being subscribed`);
    this.subscriptions.delete(id);
    this.unsubscribed.set(id, subscription);
    this.peer(id, this.userId, false);
    this.flags.leave(id);
  }

  /** Adds or removes another subscriber. Only a record with a list of subscribers shows whether the user was one. */
  private peer(id: number, userId: number, joins: boolean): void {
    const listed = [this.subscriptions, this.unsubscribed, this.neverSubscribed]
      .map((list) => list.get(id))
      .find((record) => record?.subscribers !== undefined);
    if (listed?.subscribers.includes(userId) === joins) {
      if (joins) throw new Error(`user ${userId} joined ${id} twice`);
      return;
    }
    // An old subscription may be told late. Its user is counted already.
    const isCounted = joins && listed !== undefined && listed.subscribers.length < listed.subscriber_count;
    for (const record of this.everyRecordOf(id)) {
      if (!isCounted) record.subscriber_count += joins ? 1 : -1;
      if (record.subscribers === undefined) continue;
      const others = record.subscribers.filter((other: number) => other !== userId);
      record.subscribers = joins ? [...others, userId].sort((a: number, b: number) => a - b) : others;
    }
  }

  private everyRecordOf(id: number): Fields[] {
    return [this.streams, this.subscriptions, this.unsubscribed, this.neverSubscribed].flatMap((list) => {
      const record = list.get(id);
      return record ? [record] : [];
    });
  }
}

/** Changed properties of a channel. Some events have further properties, under their own names. */
function changedProperties({ property, value, ...more }: ClientEvent): Fields {
  const { id: _id, type: _type, op: _op, stream_id: _channel, name: _name, ...along } = more;
  return { ...along, [property]: value };
}

const byId = (records: Fields[], key: string): Map<number, Fields> =>
  new Map(records.map((record) => [record[key], { ...record }]));

const sorted = (records: Map<number, Fields>): Fields[] =>
  [...records.entries()].sort(([a], [b]) => a - b).map(([, record]) => record);
