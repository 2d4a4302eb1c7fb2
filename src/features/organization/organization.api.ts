import type { FeatureApi } from '../feature.js';
import { AddDefaultChannelHandler } from './commands/add-default-channel.handler.js';
import { ChangeRealmSettingsHandler } from './commands/change-realm-settings.handler.js';
import { organizationHandlers } from './commands/organization.handlers.js';
import { DefaultChannelsController } from './http/default-channels.controller.js';
import { LinkifiersController } from './http/linkifiers.controller.js';
import { PlaygroundsController } from './http/playgrounds.controller.js';
import { ProfileFieldsController } from './http/profile-fields.controller.js';
import { RealmController } from './http/realm.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { OrganizationStateReader } from './organization.register.js';
import { GetServerSettingsHandler } from './queries/get-server-settings.handler.js';
import { organizationQueries } from './queries/organization.queries.js';

export const api: FeatureApi = {
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
    ChangeRealmSettingsHandler,
    ...organizationQueries,
    GetServerSettingsHandler,
    ...organizationHandlers,
  ],
  register: [OrganizationStateReader],
};
