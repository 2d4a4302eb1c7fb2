import { Module } from '@nestjs/common';
import { CreateOrganizationHandler } from './commands/create-organization.handler.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { GetServerSettingsHandler } from './queries/get-server-settings.handler.js';

@Module({
  controllers: [ServerSettingsController],
  providers: [CreateOrganizationHandler, GetServerSettingsHandler],
})
export class OrganizationModule {}
