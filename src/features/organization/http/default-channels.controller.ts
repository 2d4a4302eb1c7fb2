import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { AddDefaultChannel } from '../domain/add-default-channel.js';
import { RemoveDefaultChannel } from '../domain/remove-default-channel.js';
import { GetDefaultChannels } from '../queries/organization.queries.js';
import { DefaultChannelParameters } from './default-channel.parameters.js';

@Controller('default_streams')
export class DefaultChannelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ default_streams: readonly number[] }> {
    return { default_streams: await this.queries.execute(new GetDefaultChannels({ reader: user })) };
  }

  @Post()
  async add(
    @Caller() caller: Caller,
    @Parameters(DefaultChannelParameters) { stream_id }: DefaultChannelParameters,
  ): Promise<void> {
    await this.commands.execute(
      new AddDefaultChannel({ channelId: stream_id, callerId: caller.user._id, by: commandContext(caller) }),
    );
  }

  @Delete()
  async remove(
    @Caller() caller: Caller,
    @Parameters(DefaultChannelParameters) { stream_id }: DefaultChannelParameters,
  ): Promise<void> {
    await this.commands.execute(
      new RemoveDefaultChannel({ channelId: stream_id, callerId: caller.user._id, by: commandContext(caller) }),
    );
  }
}
