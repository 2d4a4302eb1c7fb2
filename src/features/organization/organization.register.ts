import { Inject } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import {
  linkifiersForClients,
  playgroundsForClients,
  profileFieldsForClients,
} from '../../directory/organization-for-clients.js';
import { permissionsForClients } from '../../directory/permissions-for-clients.js';
import { CHANNEL_PERMISSIONS } from '../../events/channels/channels.settings.js';
import { EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from '../../events/messages/topic-name.js';
import { EXTERNAL_ACCOUNTS, PROFILE_FIELD_TYPES } from '../../events/organization/organization.settings.js';
import {
  isTold,
  PLAIN_REALM_SETTINGS,
  type PlainRealmSettings,
  REALM_PERMISSIONS,
  type RealmPermissionSetting,
  type RealmSettings,
} from '../../events/organization/realm.settings.js';
import { GIPHY_RATINGS, VIDEO_CHAT_PROVIDERS } from '../../events/organization/realm-choices.settings.js';
import { MAX_NOTE_LENGTH } from '../../events/reminders/reminders.events.js';
import { olderPolicyOf, type PermissionSetting } from '../../events/shared/group-setting.js';
import { eachOf, namesOf, olderFlags } from '../../events/shared/settings.js';
import { USER_GROUP_PERMISSIONS } from '../../events/user-groups/user-groups.settings.js';
import { MAX_PASSWORD } from '../../events/users/users.settings.js';
import { stopWords } from '../../platform/documents/tokenize.js';
import { botDomain, SITE } from '../../platform/kernel/site.js';
import { PUSH_SENDER, type PushSender } from '../../platform/push/push-sender.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { PasswordRule } from '../users/domain/password.js';
import { defaultChannelIdsFor } from './queries/organization.queries.js';

/** Gives permissions as the numbers that older clients know. A number never excludes users who have the permission. */
const legacyPolicies = (settings: RealmSettings): Readonly<Record<string, number>> =>
  Object.fromEntries(
    namesOf(REALM_PERMISSIONS).flatMap((name) => {
      const { olderPolicy: older }: RealmPermissionSetting = REALM_PERMISSIONS[name];
      return older ? [[`realm_${older.name}`, olderPolicyOf(settings[name], older.numbers)]] : [];
    }),
  );

/** Clients' names of the group of the creator. */
const CREATOR = { stream: 'channel_creator', group: 'group_creator' } as const;

/** Values that the permission settings may have. */
const supportedPermissionSettings = {
  realm: Object.fromEntries(Object.entries(supported(REALM_PERMISSIONS)).filter(([name]) => isTold(name))),
  stream: supported(CHANNEL_PERMISSIONS),
  group: supported(USER_GROUP_PERMISSIONS),
};

function supported(settings: Readonly<Record<string, PermissionSetting>>): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, configuration(name, setting)]));
}

function configuration(name: string, setting: PermissionSetting): object {
  const creator = name in CHANNEL_PERMISSIONS ? CREATOR.stream : CREATOR.group;
  return {
    require_system_group: setting.requireSystemGroup,
    allow_internet_group: setting.allowInternet,
    allow_nobody_group: setting.allowNobody,
    allow_everyone_group: setting.allowEveryone,
    default_group_name: setting.default === 'creator' ? creator : setting.default,
    default_for_system_groups: name in USER_GROUP_PERMISSIONS ? 'role:nobody' : null,
    allowed_system_groups: setting.allowedSystemGroups ?? [],
  };
}

/** Lists of the organization's record and of its language, by the names under which clients fetch them. */
function organizationLists(
  directory: Directory,
  clientCapabilities: Readonly<Record<string, boolean>>,
): Readonly<Record<string, () => object>> {
  const { organization } = directory;
  const knowsTemplates = clientCapabilities.linkifier_url_template ?? false;
  return {
    custom_profile_fields: () => ({
      custom_profile_fields: organization ? profileFieldsForClients(organization) : [],
      custom_profile_field_types: PROFILE_FIELD_TYPES,
    }),
    realm_linkifiers: () => ({
      realm_linkifiers: organization && knowsTemplates ? linkifiersForClients(organization) : [],
    }),
    stop_words: () => ({ stop_words: [...stopWords(directory.setting('default_language'))] }),
    realm_playgrounds: () => ({ realm_playgrounds: organization ? playgroundsForClients(organization) : [] }),
  };
}

/** Facts for `realm` that are not in the organization's record. */
interface RealmFacts {
  /** Public URL of the server. */
  readonly site: string;
  /** Unix seconds. */
  readonly startedAt: number;
  /** Whether a push service is configured. */
  readonly pushes: boolean;
  /** The fewest characters of a password. */
  readonly leastPassword: number;
}

/** Gives the organization's fields of `realm`. Other features add theirs. Missing features are shown as off. */
function realmState(directory: Directory, facts: RealmFacts): object {
  const { site, startedAt, pushes, leastPassword } = facts;
  return {
    ...LIMITS,
    password_min_length: leastPassword,
    ...SERVER,
    ...REALM,
    ...realmSettings(directory),
    realm_date_created: Math.floor((directory.organization?.createdAt ?? 0) / 1000),
    realm_push_notifications_enabled: pushes && directory.setting('push_notifications_enabled'),
    realm_url: site,
    realm_uri: site,
    realm_bot_domain: site === '' ? '' : botDomain(site),
    server_generation: startedAt,
    server_supported_permission_settings: supportedPermissionSettings,
  };
}

/** Gives every setting that can be changed, under its name in the register response. */
function realmSettings(directory: Directory): Readonly<Record<string, unknown>> {
  const { settings } = directory;
  const permissions = eachOf(REALM_PERMISSIONS, (name) => settings[name]);
  const all = Object.entries({ ...settings, ...permissionsForClients(permissions, directory) });
  const told = all.filter(([name]) => isTold(name));
  return {
    ...Object.fromEntries(told.map(([name, value]) => [`realm_${name}`, value])),
    ...oldRealmFlags(settings),
    ...legacyPolicies(settings),
    jitsi_server_url: settings.jitsi_server_url ?? '',
  };
}

/** Gives some settings as flags under their older names. */
const oldRealmFlags = (settings: PlainRealmSettings): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    namesOf(PLAIN_REALM_SETTINGS)
      .flatMap((name) => olderFlags(PLAIN_REALM_SETTINGS, name, settings[name]))
      .map(([name, value]) => [`realm_${name}`, value]),
  );

const LIMITS = {
  max_topic_length: MAX_TOPIC_LENGTH,
  max_reminder_note_length: MAX_NOTE_LENGTH,
  max_bulk_new_subscription_messages: 0,
  password_max_length: MAX_PASSWORD,
  password_min_guesses: 0,
} as const;

const SERVER = {
  server_typing_started_wait_period_milliseconds: 10_000,
  server_typing_stopped_wait_period_milliseconds: 5_000,
  server_typing_started_expiry_period_milliseconds: 15_000,
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_web_public_streams_enabled: false,
  server_jitsi_server_url: null,
  server_can_summarize_topics: false,
  development_environment: false,
  settings_send_digest_emails: false,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  giphy_rating_options: GIPHY_RATINGS,
} as const;

const REALM = {
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_enable_spectator_access: false,
  realm_available_video_chat_providers: VIDEO_CHAT_PROVIDERS,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_is_zephyr_mirror_realm: false,
  realm_plan_type: 1,
  realm_upload_quota_mib: null,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS,
} as const;

@ReadsState()
export class OrganizationStateReader implements StateReader {
  private readonly startedAt = Math.floor(Date.now() / 1000);

  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
    @Inject(PUSH_SENDER) private readonly pushSender: PushSender | null,
    private readonly passwords: PasswordRule,
  ) {}

  parts({ reader, request }: RegisterContext): StateParts {
    const { directory } = this;
    return {
      organization: {
        default_streams: () => ({ realm_default_streams: defaultChannelIdsFor(reader, directory) }),
        ...organizationLists(directory, request.clientCapabilities),
        realm: () =>
          realmState(directory, {
            site: this.site(),
            startedAt: this.startedAt,
            pushes: this.pushSender !== null,
            leastPassword: this.passwords.least,
          }),
      },
    };
  }
}
