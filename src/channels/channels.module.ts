import { Module } from '@nestjs/common';
import { CreateChannelHandler } from './commands/create-channel.handler.js';
import { ChannelsController } from './http/channels.controller.js';
import { GetChannelIdHandler } from './queries/get-channel-id.handler.js';
import { GetChannelsHandler } from './queries/get-channels.handler.js';

@Module({
  controllers: [ChannelsController],
  providers: [CreateChannelHandler, GetChannelsHandler, GetChannelIdHandler],
})
export class ChannelsModule {}
