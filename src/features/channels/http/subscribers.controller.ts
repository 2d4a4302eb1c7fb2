import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { GetSubscribers, GetSubscriptionStatus } from '../queries/channels.queries.js';

@Controller()
export class SubscribersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get('streams/:stream_id/members')
  async list(
    @Caller() { user }: Caller,
    @PathId('stream_id') channelId: number,
  ): Promise<{ subscribers: readonly number[] }> {
    return { subscribers: await this.dispatch.ask(new GetSubscribers({ channelId, reader: user })) };
  }

  @Get('users/:user_id/subscriptions/:stream_id')
  async status(
    @Caller() { user }: Caller,
    @PathId('user_id') userId: number,
    @PathId('stream_id') channelId: number,
  ): Promise<{ is_subscribed: boolean }> {
    return { is_subscribed: await this.dispatch.ask(new GetSubscriptionStatus({ userId, channelId, reader: user })) };
  }
}
