import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import {
  DEFAULT_USER_SETTINGS,
  NOTIFICATION_SOUNDS,
  olderSettings,
  type UserSettingValues,
  userSettingValues,
} from '../../events/personal/user.settings.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { type Personal, readPersonal } from './queries/personal.queries.js';
import { mutedTopicsForClients, type TopicNaming, userTopicForClients } from './queries/topics-for-clients.js';

/** Parts of the state that concern the reader alone, by the names that they are fetched by. */
const PERSONAL_PARTS = ['alert_words', 'muted_topics', 'muted_users', 'user_topic'] as const;

function personalState(
  { lists, topics }: Personal,
  reader: UserRecord,
  naming: TopicNaming,
  directory: Directory,
): Readonly<Record<(typeof PERSONAL_PARTS)[number], () => object>> {
  return {
    alert_words: () => ({ alert_words: lists.alertWords }),
    muted_topics: () => ({ muted_topics: mutedTopicsForClients(topics, reader, naming, directory) }),
    muted_users: () => ({
      muted_users: lists.mutedUsers.map(({ userId: id, at }) => ({ id, timestamp: Math.floor(at / 1000) })),
    }),
    user_topic: () => ({ user_topics: topics.map((topic) => userTopicForClients(topic, naming)) }),
  };
}

const CHOICES = {
  available_notification_sounds: NOTIFICATION_SOUNDS,
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
} as const;

/** `user_settings`. */
const userSettingsForClients = (settings: UserSettingValues): object => ({ ...settings, ...CHOICES });

/** `realm_user_settings_defaults`: without settings that belong to one account. */
const realmUserSettingsDefaults = ((): object => {
  const { timezone: _timezone, ...defaults } = DEFAULT_USER_SETTINGS;
  return { ...defaults, ...CHOICES };
})();

/** Settings at the top level, for clients older than `user_settings`. */
const legacyNotificationSettings = (settings: UserSettingValues): object => ({
  ...olderSettings(settings, 'notifications'),
  available_notification_sounds: CHOICES.available_notification_sounds,
});

const legacyDisplaySettings = (settings: UserSettingValues): object => ({
  ...olderSettings(settings, 'display'),
  emojiset_choices: CHOICES.emojiset_choices,
});

@ReadsState()
export class PersonalStateReader implements StateReader {
  constructor(private readonly facts: Facts) {}

  parts({ reader, request }: RegisterContext): StateParts {
    const { fetchTypes, clientCapabilities } = request;
    const own = userSettingValues(this.facts.directory.user(reader._id)?.settings);
    const knowsSettings = clientCapabilities.user_settings_object ?? false;
    const naming = { allowEmptyTopicName: clientCapabilities.empty_topic_name ?? false };
    // Clients that fetch the replacing part by name do not get the replaced one.
    const isReplaced = (name: string): boolean => name === 'muted_topics' && !!fetchTypes?.includes('user_topic');
    return {
      organization: {
        realm_user_settings_defaults: () => ({ realm_user_settings_defaults: realmUserSettingsDefaults }),
        update_display_settings: () => (knowsSettings ? {} : legacyDisplaySettings(own)),
        update_global_notifications: () => (knowsSettings ? {} : legacyNotificationSettings(own)),
        user_settings: () => ({ user_settings: userSettingsForClients(own) }),
      },
      own: {
        part: 'personal',
        names: PERSONAL_PARTS.filter((name) => !isReplaced(name)),
        read: async (names, at) => {
          const found = await readPersonal(this.facts.readModels, reader._id, at);
          const parts = personalState(found, reader, naming, this.facts.directory);
          const wanted = PERSONAL_PARTS.filter((name) => names.includes(name));
          return { state: Object.assign({}, ...wanted.map((name) => parts[name]())), position: found.position };
        },
      },
    };
  }
}
