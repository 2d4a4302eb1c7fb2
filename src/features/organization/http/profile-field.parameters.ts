import { IsObject, IsOptional } from 'class-validator';
import {
  AreIds,
  Id,
  JsonText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import type { JsonObject } from '../../../platform/kernel/json.js';

/** `PATCH /realm/profile_fields/{field_id}` */
export class UpdateProfileFieldParameters {
  @OptionalText() readonly name?: string;
  @OptionalText() readonly hint?: string;
  @JsonText() @IsOptional() @IsObject() readonly field_data?: JsonObject;
  @OptionalFlag() readonly display_in_profile_summary?: boolean;
  @OptionalFlag() readonly required?: boolean;
  @OptionalFlag() readonly editable_by_user?: boolean;
  @OptionalFlag() readonly use_for_user_matching?: boolean;
}

/** `POST /realm/profile_fields` */
export class CreateProfileFieldParameters extends UpdateProfileFieldParameters {
  @Id() readonly field_type!: number;
}

/** `PATCH /realm/profile_fields` */
export class ReorderProfileFieldsParameters {
  @JsonText() @AreIds() readonly order!: readonly number[];
}
