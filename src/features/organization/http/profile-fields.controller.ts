import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsObject, IsOptional } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import type { ProfileFieldForClients } from '../../../directory/organization-for-clients.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  AreIds,
  Id,
  JsonText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import {
  ChangeProfileField,
  CreateProfileField,
  type ProfileFieldDraft,
  RemoveProfileField,
  ReorderProfileFields,
} from '../domain/profile-fields.js';
import { GetProfileFields } from '../queries/organization.queries.js';

/** `PATCH /realm/profile_fields/{field_id}` */
class UpdateProfileFieldParameters {
  @OptionalText() readonly name?: string;
  @OptionalText() readonly hint?: string;
  @JsonText() @IsOptional() @IsObject() readonly field_data?: JsonObject;
  @OptionalFlag() readonly display_in_profile_summary?: boolean;
  @OptionalFlag() readonly required?: boolean;
  @OptionalFlag() readonly editable_by_user?: boolean;
  @OptionalFlag() readonly use_for_user_matching?: boolean;
}

/** `POST /realm/profile_fields` */
class CreateProfileFieldParameters extends UpdateProfileFieldParameters {
  @Id() readonly field_type!: number;
}

/** `PATCH /realm/profile_fields` */
class ReorderProfileFieldsParameters {
  @JsonText() @AreIds() readonly order!: readonly number[];
}

const profileFieldDraft = (parameters: CreateProfileFieldParameters): ProfileFieldDraft => ({
  name: '',
  hint: '',
  type: parameters.field_type,
  data: {},
  displayInProfileSummary: false,
  required: false,
  editableByUser: true,
  useForUserMatching: false,
  ...profileFieldChanges(parameters),
});

const profileFieldChanges = ({
  name,
  hint,
  field_data,
  display_in_profile_summary,
  required,
  editable_by_user,
  use_for_user_matching,
}: UpdateProfileFieldParameters): ChangeProfileField['changes'] => ({
  ...(name !== undefined && { name }),
  ...(hint !== undefined && { hint }),
  ...(field_data !== undefined && { data: field_data }),
  ...(display_in_profile_summary !== undefined && { displayInProfileSummary: display_in_profile_summary }),
  ...(required !== undefined && { required }),
  ...(editable_by_user !== undefined && { editableByUser: editable_by_user }),
  ...(use_for_user_matching !== undefined && { useForUserMatching: use_for_user_matching }),
});

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
