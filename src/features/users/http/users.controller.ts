import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { ROLES } from '../../../events/shared/role.js';
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
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Parameters(GetUsersParameters) parameters: GetUsersParameters): Promise<JsonInTurns> {
    const members = await this.queries.execute(
      new GetUsers({ userIds: parameters.user_ids ?? null, options: shapeOf(parameters) }),
    );
    return JsonInTurns.of({ members });
  }

  @Get('me')
  own(@Caller() { user }: Caller): Promise<object> {
    return this.queries.execute(new GetOwnUser({ user }));
  }

  /** Takes an id or an address. */
  @Get(':user')
  async one(
    @PathText('user') user: string,
    @Parameters(GetUserParameters) parameters: GetUserParameters,
  ): Promise<{ user: UserForClients }> {
    return { user: await this.queries.execute(new GetUser({ user, options: shapeOf(parameters) })) };
  }

  @Post()
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateUserParameters) { email, password, full_name }: CreateUserParameters,
  ): Promise<{ user_id: number }> {
    const account = { email, fullName: full_name, password, role: ROLES.member };
    return {
      user_id: await this.commands.execute(new CreateUser({ account, by: commandContext(caller) })),
    };
  }

  /** Takes an id or an address. */
  @Patch(':user')
  async update(
    @Caller() caller: Caller,
    @PathText('user') user: string,
    @Parameters(UpdateUserParameters) parameters: UpdateUserParameters,
  ): Promise<void> {
    const userId = await this.queries.execute(new FindUserId({ user }));
    await this.commands.execute(
      new UpdateUser({ userId, changes: userChanges(parameters), by: commandContext(caller) }),
    );
  }

  @Delete('me')
  async deactivateOwn(@Caller() caller: Caller): Promise<void> {
    await this.commands.execute(new DeactivateOwnUser({ userId: caller.user._id, by: commandContext(caller) }));
  }

  /** Answers once no process accepts the account's credentials any more. */
  @Delete(':user_id')
  async deactivate(
    @Caller() caller: Caller,
    @PathId('user_id') userId: number,
    @Parameters(DeactivateUserParameters) parameters: DeactivateUserParameters,
  ): Promise<void> {
    await this.commands.execute(
      new DeactivateUser({ userId, by: commandContext(caller), notice: noticeOf(parameters) }),
    );
  }

  @Post(':user_id/reactivate')
  async reactivate(@Caller() caller: Caller, @PathId('user_id') userId: number): Promise<void> {
    await this.commands.execute(new ReactivateUser({ userId, by: commandContext(caller) }));
  }
}

const shapeOf = ({ client_gravatar, include_custom_profile_fields }: GetUserParameters) => ({
  clientGravatar: client_gravatar,
  customProfileFields: include_custom_profile_fields,
});
