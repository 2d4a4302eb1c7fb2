import { Module } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../projections/runner/read-models.js';
import { CommandRunner } from '../command-runner/command-runner.js';
import { CONTENT_KEYS, type ContentKeys } from '../content-keys/content-keys.js';
import { TopicSpellings } from '../directory/topic-spellings.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { DeleteMessageHandler } from './commands/delete-message.handler.js';
import { DeleteTopicHandler } from './commands/delete-topic.handler.js';
import { Deletions } from './commands/deletions.js';
import { EditMessageHandler } from './commands/edit-message.handler.js';
import { ExactlyOnce } from './commands/exactly-once.js';
import { AddReactionHandler, Reacting, RemoveReactionHandler } from './commands/react.handlers.js';
import { SendMessageHandler } from './commands/send-message.handler.js';
import { DeleteTopicController } from './http/delete-topic.controller.js';
import { GetMessagesController } from './http/get-messages.controller.js';
import { MessageLifeController } from './http/message-life.controller.js';
import { MessagesController } from './http/messages.controller.js';
import { ReactionsController } from './http/reactions.controller.js';
import { GetMatchingMessagesHandler } from './queries/get-matching-messages.handler.js';
import { GetMessageHistoryHandler } from './queries/get-message-history.handler.js';
import { GetMessagesHandler } from './queries/get-messages.handler.js';
import { GetMessagesByIdHandler } from './queries/get-messages-by-id.handler.js';
import { RenderMessageHandler } from './queries/render-message.handler.js';

@Module({
  controllers: [
    DeleteTopicController,
    MessagesController,
    GetMessagesController,
    MessageLifeController,
    ReactionsController,
  ],
  providers: [
    TopicSpellings,
    SendMessageHandler,
    EditMessageHandler,
    Deletions,
    DeleteMessageHandler,
    DeleteTopicHandler,
    Reacting,
    AddReactionHandler,
    RemoveReactionHandler,
    GetMessagesHandler,
    GetMessagesByIdHandler,
    GetMatchingMessagesHandler,
    GetMessageHistoryHandler,
    RenderMessageHandler,
    {
      provide: ExactlyOnce,
      inject: [CommandRunner, EVENT_STORE, CONTENT_KEYS, EventCodec, READ_MODELS],
      useFactory: (
        runner: CommandRunner,
        log: EventStore,
        keys: ContentKeys,
        codec: EventCodec,
        readModels: ReadModels,
      ) => new ExactlyOnce(runner, log, keys, codec, readModels),
    },
  ],
  exports: [EditMessageHandler],
})
export class MessagesModule {}
