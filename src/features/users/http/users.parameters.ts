import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { ROLES, type Role } from '../../../events/shared/role.js';
import {
  AreIds,
  IsId,
  JsonText,
  OptionalFlag,
  OptionalText,
  TextOrNull,
} from '../../../platform/http/parameters/parameter-decorators.js';
import type { DeactivateUser } from '../domain/deactivate-user.js';
import type { ProfileEntry, UserChanges } from '../domain/update-user.js';

export class GetUserParameters {
  @OptionalFlag() readonly client_gravatar: boolean = true;
  @OptionalFlag() readonly include_custom_profile_fields: boolean = false;
}

export class GetUsersParameters extends GetUserParameters {
  /** Absent for all users. */
  @JsonText() @IsOptional() @AreIds() readonly user_ids?: readonly number[];
}

export class CreateUserParameters {
  @IsString() readonly email!: string;
  @IsString() readonly password!: string;
  @IsString() readonly full_name!: string;
}

/** Limit of the list; organizations have fewer profile fields. */
const MAX_FIELDS = 100;

const isValue = (value: unknown): boolean =>
  value === null || typeof value === 'string' || (Array.isArray(value) && value.every(Number.isSafeInteger));

class ProfileFieldValue {
  @IsId() readonly id!: number;

  /** Clients may send the user ids of a field of type USER as a list. null means empty. */
  @ValidateBy({
    name: 'isProfileValue',
    validator: { validate: isValue, defaultMessage: () => '$property is neither a string nor a list of user IDs' },
  })
  readonly value!: string | readonly number[] | null;
}

export class UpdateUserParameters {
  @OptionalText() readonly full_name?: string;
  @JsonText() @IsOptional() @IsInt() @IsIn(Object.values(ROLES)) readonly role?: Role;

  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_FIELDS)
  @ValidateNested({ each: true })
  @Type(() => ProfileFieldValue)
  readonly profile_data?: readonly ProfileFieldValue[];

  @OptionalText() readonly new_email?: string;
}

export const userChanges = ({ full_name, role, profile_data, new_email }: UpdateUserParameters): UserChanges => ({
  fullName: full_name,
  role,
  profile: profile_data?.map(
    ({ id, value }): ProfileEntry => ({
      fieldId: id,
      value: typeof value === 'string' ? value : value === null || value.length === 0 ? '' : JSON.stringify(value),
    }),
  ),
  email: new_email,
});

const MAX_COMMENT = 2000;

export class DeactivateUserParameters {
  /** null: nobody is told. */
  @TextOrNull()
  @IsOptional()
  @IsString()
  @MaxLength(MAX_COMMENT)
  readonly deactivation_notification_comment: string | null = null;
}

export const noticeOf = ({
  deactivation_notification_comment: comment,
}: DeactivateUserParameters): DeactivateUser['notice'] => (comment === null ? null : { comment });
