import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { MuteUser } from '../domain/mute-user.js';
import { UnmuteUser } from '../domain/unmute-user.js';

@Controller('users/me/muted_users')
export class MutedUsersController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':muted_user_id')
  async mute(@Caller() caller: Caller, @PathId('muted_user_id') userId: number): Promise<void> {
    await this.commands.execute(
      new MuteUser({ userId: caller.user._id, mutedUserId: userId, by: commandContext(caller) }),
    );
  }

  @Delete(':muted_user_id')
  async unmute(@Caller() caller: Caller, @PathId('muted_user_id') userId: number): Promise<void> {
    await this.commands.execute(
      new UnmuteUser({ userId: caller.user._id, mutedUserId: userId, by: commandContext(caller) }),
    );
  }
}
