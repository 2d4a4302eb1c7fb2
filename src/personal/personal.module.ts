import { Global, Module } from '@nestjs/common';
import { AddAlertWordsHandler } from './commands/add-alert-words.handler.js';
import { ChangeUserSettingsHandler } from './commands/change-user-settings.handler.js';
import { MuteUserHandler } from './commands/mute-user.handler.js';
import { PersonalStream } from './commands/personal-stream.js';
import { RemoveAlertWordsHandler } from './commands/remove-alert-words.handler.js';
import { SetTopicPolicyHandler } from './commands/set-topic-policy.handler.js';
import { UnmuteUserHandler } from './commands/unmute-user.handler.js';
import { AlertWordsController } from './http/alert-words.controller.js';
import { MutedUsersController } from './http/muted-users.controller.js';
import { SettingsController } from './http/settings.controller.js';
import { TopicPoliciesController } from './http/topic-policies.controller.js';
import { AlertWords } from './queries/alert-words.js';
import { GetAlertWordsHandler } from './queries/get-alert-words.handler.js';
import { Habits } from './queries/habits.js';
import { UserSettings } from './queries/user-settings.js';

/** Global: whatever shows messages shows which of them have a word that their reader waits for. */
@Global()
@Module({
  controllers: [TopicPoliciesController, AlertWordsController, MutedUsersController, SettingsController],
  providers: [
    PersonalStream,
    SetTopicPolicyHandler,
    AddAlertWordsHandler,
    RemoveAlertWordsHandler,
    MuteUserHandler,
    UnmuteUserHandler,
    GetAlertWordsHandler,
    AlertWords,
    Habits,
    UserSettings,
    ChangeUserSettingsHandler,
  ],
  exports: [AlertWords, Habits, UserSettings],
})
export class PersonalModule {}
