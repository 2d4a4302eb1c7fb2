import { IsObject, IsOptional, IsString } from 'class-validator';
import { AreIds, IsId, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import type { JsonObject } from '../../../platform/kernel/json.js';

/** `PATCH /realm/profile_fields/{field_id}` */
export class UpdateProfileFieldParameters {
  @IsOptional()
  @IsString()
  readonly name?: string;

  @IsOptional()
  @IsString()
  readonly hint?: string;

  @JsonText()
  @IsOptional()
  @IsObject()
  readonly field_data?: JsonObject;

  @OptionalFlag()
  readonly display_in_profile_summary?: boolean;

  @OptionalFlag()
  readonly required?: boolean;

  @OptionalFlag()
  readonly editable_by_user?: boolean;

  @OptionalFlag()
  readonly use_for_user_matching?: boolean;
}

/** `POST /realm/profile_fields` */
export class CreateProfileFieldParameters extends UpdateProfileFieldParameters {
  @JsonText()
  @IsId()
  readonly field_type!: number;
}

/** `PATCH /realm/profile_fields` */
export class ReorderProfileFieldsParameters {
  @JsonText()
  @AreIds()
  readonly order!: readonly number[];
}
