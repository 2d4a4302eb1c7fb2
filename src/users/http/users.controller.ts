import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { UserForClients } from '../../directory/records-for-clients.js';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathId } from '../../http/parameters/path.decorators.js';
import { ROLES } from '../../kernel/role.js';
import { CreateUser } from '../domain/create-user.js';
import { DeactivateUser } from '../domain/deactivate-user.js';
import { GetOwnUser } from '../queries/get-own-user.handler.js';
import { GetUsers } from '../queries/get-users.handler.js';
import { CreateUserParameters } from './create-user.parameters.js';
import { GetUsersParameters } from './get-users.parameters.js';

@Controller('users')
export class UsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(
    @Parameters(GetUsersParameters) parameters: GetUsersParameters,
  ): Promise<{ members: readonly UserForClients[] }> {
    const options = {
      clientGravatar: parameters.client_gravatar,
      customProfileFields: parameters.include_custom_profile_fields,
    };
    return { members: await this.queries.execute(new GetUsers(parameters.user_ids ?? null, options)) };
  }

  @Get('me')
  own(@Caller() { user }: Caller): Promise<object> {
    return this.queries.execute(new GetOwnUser(user));
  }

  @Post()
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateUserParameters) { email, password, full_name }: CreateUserParameters,
  ): Promise<{ user_id: number }> {
    const account = { email, fullName: full_name, password, role: ROLES.member };
    return {
      user_id: await this.commands.execute<CreateUser, number>(new CreateUser(account, commandContext(caller))),
    };
  }

  /** When it is answered, no process lets the account in any more. */
  @Delete(':user_id')
  async deactivate(@Caller() caller: Caller, @PathId('user_id') userId: number): Promise<void> {
    await this.commands.execute(new DeactivateUser(userId, commandContext(caller)));
  }
}
