import { Module } from '@nestjs/common';
import { ArchiveChannelHandler } from './commands/archive-channel.handler.js';
import { CreateChannelHandler } from './commands/create-channel.handler.js';
import { UpdateChannelHandler } from './commands/update-channel.handler.js';
import { ChannelsController } from './http/channels.controller.js';
import { GetChannelHandler } from './queries/get-channel.handler.js';
import { GetChannelIdHandler } from './queries/get-channel-id.handler.js';
import { GetChannelsHandler } from './queries/get-channels.handler.js';
import { GetTopicsHandler } from './queries/get-topics.handler.js';

@Module({
  controllers: [ChannelsController],
  providers: [
    CreateChannelHandler,
    UpdateChannelHandler,
    ArchiveChannelHandler,
    GetChannelsHandler,
    GetChannelHandler,
    GetChannelIdHandler,
    GetTopicsHandler,
  ],
})
export class ChannelsModule {}
