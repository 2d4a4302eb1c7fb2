import { Module } from '@nestjs/common';
import { EventQueuesModule } from '../event-queues/event-queues.module.js';
import { SetEditTypingHandler } from './commands/set-edit-typing.handler.js';
import { SetTypingHandler } from './commands/set-typing.handler.js';
import { TypingController } from './http/typing.controller.js';

@Module({
  imports: [EventQueuesModule],
  controllers: [TypingController],
  providers: [SetTypingHandler, SetEditTypingHandler],
})
export class TypingModule {}
