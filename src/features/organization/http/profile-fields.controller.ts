import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import type { ProfileFieldForClients } from '../../../directory/organization-for-clients.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
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
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(): Promise<{ readonly custom_fields: readonly ProfileFieldForClients[] }> {
    return { custom_fields: await this.dispatch.ask(new GetProfileFields()) };
  }

  @Post()
  async create(
    @Caller() { by }: Caller,
    @Parameters() parameters: CreateProfileFieldParameters,
  ): Promise<{ readonly id: number }> {
    const command = new CreateProfileField({ field: profileFieldDraft(parameters), by });
    return { id: await this.dispatch.do(command) };
  }

  @Patch()
  async reorder(@Caller() { by }: Caller, @Parameters() { order }: ReorderProfileFieldsParameters): Promise<void> {
    await this.dispatch.do(new ReorderProfileFields({ order, by }));
  }

  @Patch(':field_id')
  async update(
    @Caller() { by }: Caller,
    @PathId('field_id') fieldId: number,
    @Parameters() parameters: UpdateProfileFieldParameters,
  ): Promise<void> {
    const changes = profileFieldChanges(parameters);
    await this.dispatch.do(new ChangeProfileField({ fieldId, changes, by }));
  }

  @Delete(':field_id')
  async remove(@Caller() { by }: Caller, @PathId('field_id') fieldId: number): Promise<void> {
    await this.dispatch.do(new RemoveProfileField({ fieldId, by }));
  }
}
