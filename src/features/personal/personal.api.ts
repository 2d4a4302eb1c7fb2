import type { FeatureApi } from '../feature.js';
import { ChangeUserSettingsHandler } from './commands/change-user-settings.handler.js';
import { personalHandlers } from './commands/personal.handlers.js';
import { AlertWordsController } from './http/alert-words.controller.js';
import { MutedUsersController } from './http/muted-users.controller.js';
import { SettingsController } from './http/settings.controller.js';
import { TopicPoliciesController } from './http/topic-policies.controller.js';
import { TopicPolicyClientEvents } from './personal.client-events.js';
import { PersonalStateReader } from './personal.register.js';
import { AlertWords } from './queries/alert-words.js';
import { AutoTopicPolicies } from './queries/auto-topic-policies.js';
import { personalQueries } from './queries/personal.queries.js';
import { UserSettings } from './queries/user-settings.js';

export const api: FeatureApi = {
  controllers: [TopicPoliciesController, AlertWordsController, MutedUsersController, SettingsController],
  providers: [
    ...personalHandlers,
    ...personalQueries,
    AlertWords,
    AutoTopicPolicies,
    UserSettings,
    ChangeUserSettingsHandler,
  ],
  clientEvents: [TopicPolicyClientEvents],
  register: [PersonalStateReader],
};
