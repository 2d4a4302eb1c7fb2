import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ChannelsModule } from './channels/channels.module.js';
import { CommandRunnerModule } from './command-runner/command-runner.module.js';
import type { Config } from './config/config.js';
import { DirectoryModule } from './directory/directory.module.js';
import { DraftsModule } from './drafts/drafts.module.js';
import { EnginesModule } from './engines.module.js';
import { EventQueuesModule } from './event-queues/event-queues.module.js';
import { HealthModule } from './health/health.module.js';
import { AdmissionModule } from './http/admission.guard.js';
import { FreshDirectoryGuard } from './http/fresh-directory.guard.js';
import { HttpModule } from './http/http.module.js';
import type { HttpOptions } from './http/http-options.js';
import { MessagesModule } from './messages/messages.module.js';
import { OrganizationModule } from './organization/organization.module.js';
import { PersonalModule } from './personal/personal.module.js';
import { ReadStateModule } from './read-state/read-state.module.js';
import type { ServerParts } from './roles/open-server-parts.js';
import { ServerHealthModule } from './roles/server-health.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { TopicsModule } from './topics/topics.module.js';
import { TypingModule } from './typing/typing.module.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { UserGroupsModule } from './user-groups/user-groups.module.js';
import { UsersModule } from './users/users.module.js';

/** What a server consists of; `startServer` brings it to life in order. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class AppModule {
  static for(config: Config, parts: ServerParts, http: Partial<HttpOptions>, site: () => string): DynamicModule {
    return {
      module: AppModule,
      providers: [{ provide: APP_GUARD, useClass: FreshDirectoryGuard }],
      imports: [
        CqrsModule.forRoot(),
        EnginesModule.for(config, parts, site),
        DirectoryModule,
        CommandRunnerModule,
        HttpModule.register(http),
        AdmissionModule,
        OrganizationModule,
        UsersModule,
        ChannelsModule,
        SubscriptionsModule,
        UserGroupsModule,
        MessagesModule,
        TopicsModule,
        ReadStateModule,
        PersonalModule,
        DraftsModule,
        UploadsModule,
        EventQueuesModule,
        TypingModule,
        ServerHealthModule,
        HealthModule,
      ],
    };
  }
}
