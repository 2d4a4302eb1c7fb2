import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { ROLES } from '../../../events/shared/role.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId, PathText } from '../../../platform/http/parameters/path.decorators.js';
import { CreateUser } from '../domain/create-user.js';
import { DeactivateOwnUser } from '../domain/deactivate-own-user.js';
import { DeactivateUser } from '../domain/deactivate-user.js';
import { ReactivateUser } from '../domain/reactivate-user.js';
import { UpdateUser } from '../domain/update-user.js';
import { GetOwnUser } from '../queries/get-own-user.handler.js';
import { FindUserId, GetUser } from '../queries/get-user.handler.js';
import { GetUsers } from '../queries/get-users.handler.js';
import type { UserForClients } from '../queries/users-for-clients.js';
import {
  CreateUserParameters,
  DeactivateUserParameters,
  GetUserParameters,
  GetUsersParameters,
  noticeOf,
  UpdateUserParameters,
  userChanges,
} from './users.parameters.js';

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
