import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
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
import { Caller } from '../../../directory/http/caller.decorator.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { JsonInTurns } from '../../../platform/http/answers/json-in-turns.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  AreIds,
  IsId,
  JsonText,
  OptionalFlag,
  OptionalText,
  TextOrNull,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId, PathText } from '../../../platform/http/parameters/path.decorators.js';
import { DeactivateOwnUser, DeactivateUser, ReactivateUser } from '../domain/activity.js';
import { CreateUser } from '../domain/create-user.js';
import { type ProfileEntry, UpdateUser, type UserChanges } from '../domain/update-user.js';
import { FindUserId, GetOwnUser, GetUser, GetUsers } from '../queries/users.queries.js';
import type { UserForClients } from '../queries/users-for-clients.js';

class GetUserParameters {
  @OptionalFlag() readonly client_gravatar: boolean = true;
  @OptionalFlag() readonly include_custom_profile_fields: boolean = false;
}

class GetUsersParameters extends GetUserParameters {
  /** Absent for all users. */
  @JsonText() @IsOptional() @AreIds() readonly user_ids?: readonly number[];
}

class CreateUserParameters {
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

class UpdateUserParameters {
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

const userChanges = ({ full_name, role, profile_data, new_email }: UpdateUserParameters): UserChanges => ({
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

class DeactivateUserParameters {
  /** null: nobody is told. */
  @TextOrNull()
  @IsOptional()
  @IsString()
  @MaxLength(MAX_COMMENT)
  readonly deactivation_notification_comment: string | null = null;
}

const noticeOf = ({
  deactivation_notification_comment: comment,
}: DeactivateUserParameters): DeactivateUser['notice'] => (comment === null ? null : { comment });

@Controller('users')
export class UsersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Parameters() parameters: GetUsersParameters): Promise<JsonInTurns> {
    const members = await this.dispatch.ask(
      new GetUsers({ userIds: parameters.user_ids ?? null, options: shapeOf(parameters) }),
    );
    return JsonInTurns.of({ members });
  }

  @Get('me')
  own(@Caller() { user }: Caller): Promise<object> {
    return this.dispatch.ask(new GetOwnUser({ user }));
  }

  /** Takes an id or an address. */
  @Get(':user')
  async one(
    @PathText('user') user: string,
    @Parameters() parameters: GetUserParameters,
  ): Promise<{ user: UserForClients }> {
    return { user: await this.dispatch.ask(new GetUser({ user, options: shapeOf(parameters) })) };
  }

  @Post()
  async create(
    @Caller() { by }: Caller,
    @Parameters() { email, password, full_name }: CreateUserParameters,
  ): Promise<{ user_id: number }> {
    const account = { email, fullName: full_name, password, role: ROLES.member };
    return { user_id: await this.dispatch.do(new CreateUser({ account, by })) };
  }

  /** Takes an id or an address. */
  @Patch(':user')
  async update(
    @Caller() { by }: Caller,
    @PathText('user') user: string,
    @Parameters() parameters: UpdateUserParameters,
  ): Promise<void> {
    const userId = await this.dispatch.ask(new FindUserId({ user }));
    await this.dispatch.do(new UpdateUser({ userId, changes: userChanges(parameters), by }));
  }

  @Delete('me')
  async deactivateOwn(@Caller() { user, by }: Caller): Promise<void> {
    await this.dispatch.do(new DeactivateOwnUser({ userId: user._id, by }));
  }

  /** Answers once no process accepts the account's credentials any more. */
  @Delete(':user_id')
  async deactivate(
    @Caller() { by }: Caller,
    @PathId('user_id') userId: number,
    @Parameters() parameters: DeactivateUserParameters,
  ): Promise<void> {
    await this.dispatch.do(new DeactivateUser({ userId, by, notice: noticeOf(parameters) }));
  }

  @Post(':user_id/reactivate')
  async reactivate(@Caller() { by }: Caller, @PathId('user_id') userId: number): Promise<void> {
    await this.dispatch.do(new ReactivateUser({ userId, by }));
  }
}

const shapeOf = ({ client_gravatar, include_custom_profile_fields }: GetUserParameters) => ({
  clientGravatar: client_gravatar,
  customProfileFields: include_custom_profile_fields,
});
