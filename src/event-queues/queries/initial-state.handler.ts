import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { StatePart } from '../../../projections/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events.projection.js';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../projections/messages.projection.js';
import { readState } from '../../../projections/read-state.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { defaultChannelIdsFor } from '../../directory/default-channels.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { userGroupsForClients } from '../../directory/groups-for-clients.js';
import { draftsOf } from '../../drafts/queries/drafts-for-clients.js';
import { API_VERSION } from '../../kernel/api-version.js';
import type { Position } from '../../kernel/position.js';
import { SITE } from '../../kernel/site.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../messages/domain/topic-name.js';
import { MessageRows } from '../../messages/queries/rows/message-rows.js';
import { TopicPolicies } from '../../messages/queries/topic-policies.js';
import { userSetting, userSettings } from '../../personal/domain/user.settings.js';
import { readPersonal } from '../../personal/queries/personal-lists.js';
import { OwnFlags } from '../../read-state/queries/own-flags.js';
import { ReadStates } from '../../read-state/queries/read-states.js';
import { UPLOAD_SETTINGS, type UploadSettings } from '../../uploads/domain/upload-settings.js';
import { firstMessageIds } from './first-message-ids.js';
import { QUEUE_SETTINGS, type QueueSettings } from './queue-settings.js';
import { absentFeatures } from './state/absent-features.js';
import { channelState, type SeenChannel, seenChannels } from './state/channels.js';
import { maxMessageId, newestIdThrough, recentConversations } from './state/messages.js';
import { organizationLists } from './state/organization-lists.js';
import { PERSONAL_PARTS, personalState } from './state/personal.js';
import { realmState } from './state/realm.js';
import type { Messages, Subscriptions } from './state/received-messages.js';
import { starredMessages } from './state/starred-messages.js';
import { unreadMentions } from './state/unread-mentions.js';
import { type UnreadMessages, unreadMessages } from './state/unread-messages.js';
import {
  legacyDisplaySettings,
  legacyNotificationSettings,
  realmUserSettingsDefaults,
  userSettingsForClients,
} from './state/user-settings.js';
import { botState, userState } from './state/users.js';

/** What a client that registers wants to know, and how. */
export interface StateRequest {
  /** Names of parts; unknown ones are ignored. null: everything. */
  readonly fetchTypes: readonly string[] | null;
  readonly clientGravatar: boolean;
  readonly includeSubscribers: boolean;
  readonly clientCapabilities: Readonly<Record<string, boolean>>;
}

export class GetInitialState {
  constructor(
    readonly reader: UserRecord,
    readonly request: StateRequest,
  ) {}
}

export interface InitialState {
  readonly state: Readonly<Record<string, unknown>>;
  /** As of which each part was read: events after it bring the state up to date (D10). */
  readonly positions: Readonly<Record<StatePart, Position>>;
}

/** By the name under which a part is fetched. */
type Parts<Read> = Readonly<Record<string, Read>>;

@QueryHandler(GetInitialState)
export class GetInitialStateHandler implements IQueryHandler<GetInitialState, InitialState> {
  private readonly startedAt = Math.floor(Date.now() / 1000);

  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(SITE) private readonly site: () => string,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
    @Inject(UPLOAD_SETTINGS) private readonly uploads: UploadSettings,
  ) {}

  /** @throws UnavailableError, DocumentStoreUnavailable */
  async execute({ reader, request }: GetInitialState): Promise<InitialState> {
    const { fetchTypes } = request;
    const isWanted = (name: string): boolean => fetchTypes === null || fetchTypes.includes(name);
    const state: Record<string, unknown> = { ...API_VERSION };

    // 1. The organisation, in one turn of the event loop: all of it is as of one position.
    const at = this.directory.position;
    for (const [name, read] of Object.entries(this.organizationParts(reader, request)))
      if (isWanted(name)) Object.assign(state, read());
    const moment: Moment = {
      channels: isWanted('subscription') || isWanted('stream') ? seenChannels(reader, this.directory) : [],
      subscriptions: subscriptionsOf(reader, this.directory),
      keepsDrafts: userSetting(this.directory.user(reader._id)?.settings, 'enable_drafts_synchronization'),
    };

    // 2. The messages, as of the same position: those that had been sent by then. The feed knows each channel's first.
    // Flags may be newer: they are sets, and the events that are told again leave them as they are.
    const sources = [messages, clientEvents, readState];
    await this.readModels.waitFor(sources, at);
    const through = Math.min(at, ...sources.map((source) => this.readModels.position(source)));
    for (const [name, read] of Object.entries(this.messageParts(reader, request, moment, through)))
      if (isWanted(name)) Object.assign(state, await read());
    if (isWanted('message') && isWanted('update_message_flags'))
      state.unread_msgs = await this.unread(reader, request, moment, through);

    // 3. What concerns the reader alone: nothing of it is read where nothing is wanted.
    const own = PERSONAL_PARTS.filter((name) => isWanted(name) && !isReplaced(name, fetchTypes));
    const personal = own.length > 0 ? await readPersonal(this.readModels, reader._id, at) : null;
    if (personal) {
      const naming = { allowEmptyTopicName: request.clientCapabilities.empty_topic_name ?? false };
      const parts = personalState(personal, reader, naming, this.directory);
      for (const name of own) Object.assign(state, parts[name]());
    }

    // They are told not to be there with the setting, and by no event: some may have yet to go.
    const isTold = isWanted('drafts') && moment.keepsDrafts;
    const kept = isTold ? await draftsOf(reader._id, this.readModels, at) : { drafts: [], position: at };
    if (isWanted('drafts')) state.drafts = kept.drafts;

    const positions = { organization: at, messages: through, personal: personal?.position ?? at };
    return { state, positions: { ...positions, drafts: kept.position } };
  }

  private organizationParts(reader: UserRecord, request: StateRequest): Parts<() => object> {
    const { clientGravatar, clientCapabilities } = request;
    const own = userSettings(this.directory.user(reader._id)?.settings);
    const knowsSettings = clientCapabilities.user_settings_object ?? false;
    const facts = {
      site: this.site(),
      heartbeatAfterMs: this.settings.heartbeatAfter,
      startedAt: this.startedAt,
      maxFileUploadMib: this.uploads.maxFileMib,
    };
    return {
      ...Object.fromEntries(Object.entries(absentFeatures).map(([name, absent]) => [name, () => absent])),
      default_streams: () => ({ realm_default_streams: defaultChannelIdsFor(reader, this.directory) }),
      ...organizationLists(this.directory, clientCapabilities),
      presence: () => ({ presences: {}, presence_last_update_id: -1, server_timestamp: Date.now() / 1000 }),
      realm: () => realmState(this.directory, facts),
      realm_bot: () => botState(reader, this.directory),
      realm_user: () => userState(reader, this.directory, { clientGravatar }),
      realm_user_groups: () => ({
        realm_user_groups: userGroupsForClients(this.directory, clientCapabilities.include_deactivated_groups ?? false),
      }),
      realm_user_settings_defaults: () => ({ realm_user_settings_defaults: realmUserSettingsDefaults }),
      update_display_settings: () => (knowsSettings ? {} : legacyDisplaySettings(own)),
      update_global_notifications: () => (knowsSettings ? {} : legacyNotificationSettings(own)),
      user_settings: () => ({ user_settings: userSettingsForClients(own) }),
    };
  }

  private messageParts(
    reader: UserRecord,
    request: StateRequest,
    { channels, subscriptions }: Moment,
    through: Position,
  ): Parts<() => Promise<object>> {
    const of = async (part: 'subscription' | 'stream'): Promise<object> => {
      const newest = Math.max(
        await newestIdThrough(this.messages(), through),
        await newestIdThrough(this.messages(DELETED_MESSAGES), through),
      );
      const first = await firstMessageIds(
        this.readModels,
        channels.map(({ record }) => record._id),
      );
      const asOfThen = new Map([...first].filter(([, messageId]) => messageId <= newest));
      return channelState(channels, asOfThen, request, this.directory)[part];
    };
    return {
      // Also where the newest is gone since: clients count up from what they have heard of.
      message: async () => ({
        max_message_id: Math.max(
          await maxMessageId(this.messages(), reader, subscriptions, through),
          await maxMessageId(this.messages(DELETED_MESSAGES), reader, subscriptions, through),
        ),
      }),
      recent_private_conversations: async () => ({
        recent_private_conversations: await recentConversations(this.messages(), reader, through),
      }),
      starred_messages: async () => ({
        starred_messages: await starredMessages(
          this.rows,
          new OwnFlags(reader, await this.readStates.of(reader._id), this.directory),
        ),
      }),
      subscription: () => of('subscription'),
      stream: () => of('stream'),
    };
  }

  private async unread(
    reader: UserRecord,
    { clientCapabilities }: StateRequest,
    { subscriptions }: Moment,
    through: Position,
  ): Promise<UnreadMessages> {
    const emptyTopicName = clientCapabilities.empty_topic_name ? '' : EMPTY_TOPIC_DISPLAY_NAME;
    const state = await this.readStates.of(reader._id);
    const unread = await unreadMessages(this.rows, reader, state, subscriptions, through, emptyTopicName);
    const { streams, pms, huddles } = unread;
    const ids = new Set([...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids));
    const mutes = async (): Promise<(message: MessageDocument) => boolean> => {
      const { topics } = await readPersonal(this.readModels, reader._id, this.directory.position);
      const policies = new TopicPolicies(topics, reader, this.directory);
      return (message) => policies.has('muted', message);
    };
    return { ...unread, mentions: await unreadMentions(this.messages(), ids, reader, this.directory, mutes) };
  }

  private messages(collection = MESSAGES): Messages {
    return this.readModels.collection<MessageDocument>(messages, collection);
  }
}

/** What the directory told in the turn in which its position was read. */
interface Moment {
  readonly channels: readonly SeenChannel[];
  readonly subscriptions: Subscriptions;
  readonly keepsDrafts: boolean;
}

/** Who asks by name for what came instead is not told the old. */
const isReplaced = (name: string, fetchTypes: StateRequest['fetchTypes']): boolean =>
  name === 'muted_topics' && (fetchTypes?.includes('user_topic') ?? false);

const subscriptionsOf = (reader: UserRecord, directory: Directory): Subscriptions =>
  new Map([...directory.subscriptionsOf(reader._id)].map(([channelId, { intervals }]) => [channelId, intervals]));
