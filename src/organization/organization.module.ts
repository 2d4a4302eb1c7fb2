import { Module } from '@nestjs/common';
import { AddDefaultChannelHandler } from './commands/add-default-channel.handler.js';
import { AddLinkifierHandler } from './commands/add-linkifier.handler.js';
import { AddPlaygroundHandler } from './commands/add-playground.handler.js';
import { ChangeLinkifierHandler } from './commands/change-linkifier.handler.js';
import { ChangeProfileFieldHandler } from './commands/change-profile-field.handler.js';
import { ChangeRealmSettingsHandler } from './commands/change-realm-settings.handler.js';
import { CreateOrganizationHandler } from './commands/create-organization.handler.js';
import { CreateProfileFieldHandler } from './commands/create-profile-field.handler.js';
import { OrganizationDecisions } from './commands/organization-decisions.js';
import { RemoveDefaultChannelHandler } from './commands/remove-default-channel.handler.js';
import { RemoveLinkifierHandler } from './commands/remove-linkifier.handler.js';
import { RemovePlaygroundHandler } from './commands/remove-playground.handler.js';
import { RemoveProfileFieldHandler } from './commands/remove-profile-field.handler.js';
import { ReorderLinkifiersHandler } from './commands/reorder-linkifiers.handler.js';
import { ReorderProfileFieldsHandler } from './commands/reorder-profile-fields.handler.js';
import { DefaultChannelsController } from './http/default-channels.controller.js';
import { LinkifiersController } from './http/linkifiers.controller.js';
import { PlaygroundsController } from './http/playgrounds.controller.js';
import { ProfileFieldsController } from './http/profile-fields.controller.js';
import { RealmController } from './http/realm.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { GetDefaultChannelsHandler } from './queries/get-default-channels.handler.js';
import { GetLinkifiersHandler } from './queries/get-linkifiers.handler.js';
import { GetProfileFieldsHandler } from './queries/get-profile-fields.handler.js';
import { GetServerSettingsHandler } from './queries/get-server-settings.handler.js';

@Module({
  controllers: [
    DefaultChannelsController,
    LinkifiersController,
    PlaygroundsController,
    ProfileFieldsController,
    RealmController,
    ServerSettingsController,
  ],
  providers: [
    AddDefaultChannelHandler,
    AddLinkifierHandler,
    AddPlaygroundHandler,
    ChangeLinkifierHandler,
    ChangeProfileFieldHandler,
    ChangeRealmSettingsHandler,
    CreateOrganizationHandler,
    CreateProfileFieldHandler,
    GetDefaultChannelsHandler,
    GetLinkifiersHandler,
    GetProfileFieldsHandler,
    GetServerSettingsHandler,
    OrganizationDecisions,
    RemoveDefaultChannelHandler,
    RemoveLinkifierHandler,
    RemovePlaygroundHandler,
    RemoveProfileFieldHandler,
    ReorderLinkifiersHandler,
    ReorderProfileFieldsHandler,
  ],
})
export class OrganizationModule {}
