import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { MoveMessagesHandler } from './commands/move-messages.handler.js';
import { UpdateMessageHandler } from './commands/update-message.handler.js';

@Module({ imports: [MessagesModule], providers: [MoveMessagesHandler, UpdateMessageHandler] })
export class TopicsModule {}
