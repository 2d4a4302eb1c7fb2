import { CommandRunner } from '../../platform/commands/command-runner.js';
import { CONTENT_KEYS, type ContentKeys } from '../../platform/content-keys/content-keys.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../platform/log/event-store.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { FeatureApi } from '../feature.js';
import { MessageDocuments } from './client-events/message-documents.js';
import { MessageNarrowing } from './client-events/message-narrowing.js';
import { MovedMessagesLookUp } from './client-events/moved-messages.js';
import { DeleteMessageHandler } from './commands/delete-message.handler.js';
import { DeleteTopicHandler } from './commands/delete-topic.handler.js';
import { Deletions } from './commands/deletions.js';
import { EditMessageHandler } from './commands/edit-message.handler.js';
import { MoveMessagesHandler } from './commands/move-messages.handler.js';
import { AddReactionHandler, Reacting, RemoveReactionHandler } from './commands/react.handlers.js';
import { SendMessageHandler } from './commands/send-message.handler.js';
import { UpdateMessageHandler } from './commands/update-message.handler.js';
import { DeleteTopicController } from './http/delete-topic.controller.js';
import { GetMessagesController } from './http/get-messages.controller.js';
import { MessageController } from './http/message.controller.js';
import { MessagesController } from './http/messages.controller.js';
import { ReactionsController } from './http/reactions.controller.js';
import { TopicsController } from './http/topics.controller.js';
import { ExactlyOnce } from './log/exactly-once.js';
import { TopicSpellings } from './log/topic-spellings.js';
import { MessageClientEvents } from './messages.client-events.js';
import { MessageStateReader } from './messages.register.js';
import { GetMessageHistoryHandler } from './queries/get-message-history.handler.js';
import { GetTopicsHandler } from './queries/get-topics.handler.js';
import { GetMatchingMessagesHandler } from './queries/reading/get-matching-messages.handler.js';
import { GetMessagesHandler } from './queries/reading/get-messages.handler.js';
import { GetMessagesByIdHandler } from './queries/reading/get-messages-by-id.handler.js';
import { RenderMessageHandler } from './queries/render-message.handler.js';

export const api: FeatureApi = {
  controllers: [
    DeleteTopicController,
    MessagesController,
    MessageController,
    ReactionsController,
    TopicsController,
    GetMessagesController,
  ],
  providers: [
    MessageDocuments,
    MovedMessagesLookUp,
    MessageNarrowing,
    TopicSpellings,
    SendMessageHandler,
    EditMessageHandler,
    Deletions,
    DeleteMessageHandler,
    DeleteTopicHandler,
    Reacting,
    AddReactionHandler,
    RemoveReactionHandler,
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
    GetTopicsHandler,
    MoveMessagesHandler,
    UpdateMessageHandler,
    GetMessagesHandler,
    GetMessagesByIdHandler,
    GetMatchingMessagesHandler,
  ],
  clientEvents: [MessageClientEvents],
  register: [MessageStateReader],
};
