import { Facts } from '../../directory/facts.js';
import { userSettings } from '../../events/personal/user.settings.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { readPersonal } from './queries/personal-lists.js';
import { PERSONAL_PARTS, personalState } from './register/personal-state.js';
import {
  legacyDisplaySettings,
  legacyNotificationSettings,
  realmUserSettingsDefaults,
  userSettingsForClients,
} from './register/user-settings.js';

@ReadsState()
export class PersonalStateReader implements StateReader {
  constructor(private readonly facts: Facts) {}

  parts({ reader, request }: RegisterContext): StateParts {
    const { fetchTypes, clientCapabilities } = request;
    const own = userSettings(this.facts.directory.user(reader._id)?.settings);
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
