import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import type { ProfileFieldForClients } from '../../../directory/organization-for-clients.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { ChangeProfileField } from '../domain/change-profile-field.js';
import { CreateProfileField } from '../domain/create-profile-field.js';
import { RemoveProfileField } from '../domain/remove-profile-field.js';
import { ReorderProfileFields } from '../domain/reorder-profile-fields.js';
import { GetProfileFields } from '../queries/organization.queries.js';
import { profileFieldChanges, profileFieldDraft } from './profile-field.mapping.js';
import {
  CreateProfileFieldParameters,
  ReorderProfileFieldsParameters,
  UpdateProfileFieldParameters,
} from './profile-field.parameters.js';

@Controller('realm/profile_fields')
export class ProfileFieldsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(): Promise<{ readonly custom_fields: readonly ProfileFieldForClients[] }> {
    return { custom_fields: await this.queries.execute(new GetProfileFields()) };
  }

  @Post()
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateProfileFieldParameters) parameters: CreateProfileFieldParameters,
  ): Promise<{ readonly id: number }> {
    const command = new CreateProfileField({ field: profileFieldDraft(parameters), by: commandContext(caller) });
    return { id: await this.commands.execute(command) };
  }

  @Patch()
  async reorder(
    @Caller() caller: Caller,
    @Parameters(ReorderProfileFieldsParameters) { order }: ReorderProfileFieldsParameters,
  ): Promise<void> {
    await this.commands.execute(new ReorderProfileFields({ order, by: commandContext(caller) }));
  }

  @Patch(':field_id')
  async update(
    @Caller() caller: Caller,
    @PathId('field_id') fieldId: number,
    @Parameters(UpdateProfileFieldParameters) parameters: UpdateProfileFieldParameters,
  ): Promise<void> {
    const changes = profileFieldChanges(parameters);
    await this.commands.execute(new ChangeProfileField({ fieldId, changes, by: commandContext(caller) }));
  }

  @Delete(':field_id')
  async remove(@Caller() caller: Caller, @PathId('field_id') fieldId: number): Promise<void> {
    await this.commands.execute(new RemoveProfileField({ fieldId, by: commandContext(caller) }));
  }
}
