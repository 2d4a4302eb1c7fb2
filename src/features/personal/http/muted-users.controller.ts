import { Controller, Delete, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { MuteUser, UnmuteUser } from '../domain/muted-users.js';

@Controller('users/me/muted_users')
export class MutedUsersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post(':muted_user_id')
  async mute(@Caller() { user, by }: Caller, @PathId('muted_user_id') userId: number): Promise<void> {
    await this.dispatch.do(new MuteUser({ userId: user._id, mutedUserId: userId, by }));
  }

  @Delete(':muted_user_id')
  async unmute(@Caller() { user, by }: Caller, @PathId('muted_user_id') userId: number): Promise<void> {
    await this.dispatch.do(new UnmuteUser({ userId: user._id, mutedUserId: userId, by }));
  }
}
