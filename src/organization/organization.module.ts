import { Module } from '@nestjs/common';
import { AddDefaultChannelHandler } from './commands/add-default-channel.handler.js';
import { ChangeRealmSettingsHandler } from './commands/change-realm-settings.handler.js';
import { CreateOrganizationHandler } from './commands/create-organization.handler.js';
import { OrganizationDecisions } from './commands/organization-decisions.js';
import { RemoveDefaultChannelHandler } from './commands/remove-default-channel.handler.js';
import { DefaultChannelsController } from './http/default-channels.controller.js';
import { RealmController } from './http/realm.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { GetDefaultChannelsHandler } from './queries/get-default-channels.handler.js';
import { GetServerSettingsHandler } from './queries/get-server-settings.handler.js';

@Module({
  controllers: [DefaultChannelsController, RealmController, ServerSettingsController],
  providers: [
    AddDefaultChannelHandler,
    ChangeRealmSettingsHandler,
    CreateOrganizationHandler,
    GetDefaultChannelsHandler,
    GetServerSettingsHandler,
    OrganizationDecisions,
    RemoveDefaultChannelHandler,
  ],
})
export class OrganizationModule {}
